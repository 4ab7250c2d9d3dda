import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An S3 server behind an address that can go away and come back, and that counts what is put. */
export async function s3Proxy(endpoint: string) {
  const stored = new Map<string, number>()
  let away = false
  let refused = 0
  const proxy = http.createServer((request, response) => {
    if (away) {
      refused++
      request.socket.destroy()
      return
    }
    const { method, headers, url = '' } = request
    const onward = http.request(endpoint + url, { method, headers }, (answer) => {
      const { pathname } = new URL(url, endpoint)
      if (method === 'PUT' && answer.statusCode === 200) stored.set(pathname, (stored.get(pathname) ?? 0) + 1)
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.on('error', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** How often each object was stored. */
    stored,
    /** How many requests found nobody. */
    refused: () => refused,
    goAway() {
      away = true
      proxy.closeAllConnections()
    },
    comeBack() {
      away = false
    },
  }
}
