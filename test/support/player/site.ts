import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const PAGE = path.join(import.meta.dirname, 'page')
const FILES: Record<string, [file: string, contentType: string]> = {
  '/': [path.join(PAGE, 'index.html'), 'text/html'],
  '/player.js': [path.join(PAGE, 'player.js'), 'text/javascript'],
  '/picture.js': [path.join(PAGE, 'picture.js'), 'text/javascript'],
  '/sound.js': [path.join(PAGE, 'sound.js'), 'text/javascript'],
  '/hls.js': [createRequire(import.meta.url).resolve('hls.js'), 'text/javascript'],
}

/** The page of somebody else, who shows our videos: another origin than the service's. */
export async function openSite() {
  const server = createServer(async (request, response) => {
    const [file, contentType] = FILES[request.url ?? ''] ?? []
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': contentType }).end(await readFile(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
