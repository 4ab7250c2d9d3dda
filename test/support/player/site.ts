import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const PAGE = path.join(import.meta.dirname, 'page')
const FILES: Record<string, [file: string, contentType: string]> = {
  '/': [path.join(PAGE, 'index.html'), 'text/html'],
  '/player.ts': [path.join(PAGE, 'player.ts'), 'text/javascript'],
  '/picture.ts': [path.join(PAGE, 'picture.ts'), 'text/javascript'],
  '/sound.ts': [path.join(PAGE, 'sound.ts'), 'text/javascript'],
  '/hls.js': [createRequire(import.meta.url).resolve('hls.js'), 'text/javascript'],
}

/** The page of somebody else, who shows our videos: another origin than the service's. */
export async function openSite() {
  const server = createServer(async (request, response) => {
    const [file, contentType] = FILES[request.url ?? ''] ?? []
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': contentType }).end(await contentOf(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Scripts are checked as TypeScript, and a page gets JavaScript. */
async function contentOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8')
  return file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
}
