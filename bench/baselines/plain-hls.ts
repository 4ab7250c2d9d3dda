import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const SCRIPT = readFileSync(new URL(import.meta.resolve('hls.js/dist/hls.min.js')))

/** A site with pages that are set later, and hls.js as it is published. */
export async function startSite() {
  const pages = new Map<string, string>()
  const server = http.createServer(({ url }, response) => {
    const page = pages.get(url!)
    if (url === '/hls.min.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT)
    else if (page) response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    pages,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** As the first example of hls.js has it, with a button of its own. */
export function plainHlsPage(playlist: string): string {
  return `<!doctype html><title>plain</title>
<script src="/hls.min.js"></script>
<video muted style="width:1280px"></video><button>Play</button>
<script>
const [video] = document.querySelectorAll('video')
const [button] = document.querySelectorAll('button')
const hls = new Hls()
hls.loadSource(${JSON.stringify(playlist)})
hls.attachMedia(video)
button.onclick = () => video.play()
globalThis.video = () => video
globalThis.button = () => button
</script>`
}
