import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** A page of React that shows what was done and does nothing else: no page can answer sooner. */
const PAGE = `<!doctype html><html lang="en"><title>empty</title>
<style>body { height: 20000px }</style><div id="root"></div><script type="module" src="/page.js"></script></html>`

const SCRIPT = `
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
function Page() {
  const [shown, show] = useState('')
  return h('main', { onKeyDown: (event) => show(event.key) },
    h('button', { onClick: () => show(shown === 'on' ? '' : 'on') }, 'Press'),
    h('input', { value: shown, onChange: (event) => show(event.target.value) }),
    h('p', null, shown))
}
createRoot(document.getElementById('root')).render(h(Page))`

export async function startEmptyPage(): Promise<{ url: string; stop(): Promise<void> }> {
  const script = await bundle()
  const server = http.createServer(({ url }, response) => {
    const type = url === '/page.js' ? 'text/javascript' : 'text/html'
    response.writeHead(200, { 'content-type': type }).end(url === '/page.js' ? script : PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bundle(): Promise<string> {
  const entry = path.resolve(import.meta.dirname, 'empty-react-page.js')
  const made = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id: string) => (id === entry ? id : undefined),
        load: (id: string) => (id === entry ? SCRIPT : undefined),
      },
    ],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await made.generate({ format: 'esm', minify: true })
  await made.close()
  return output[0].code
}
