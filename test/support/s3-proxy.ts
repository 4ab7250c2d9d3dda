import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** An S3 server behind an address that can go away and come back, and that counts what is put. */
export async function s3Proxy(endpoint: string) {
  const stored = new Map<string, number>()
  let away = false
  let refused = 0
  let holding: { suffix: string; hold: () => Promise<void>; answered: (status: number) => void } | undefined

  /** What is put there first is taken to its last byte, and not handed on before somebody says so. */
  async function heldBack(request: http.IncomingMessage) {
    const { method, url = '' } = request
    if (method !== 'PUT' || !holding || !url.split('?')[0]!.endsWith(holding.suffix)) return undefined
    const { hold, answered } = holding
    holding = undefined
    const whole = await buffer(request)
    await hold()
    return { whole, answered }
  }

  const proxy = http.createServer(async (request, response) => {
    if (away) {
      refused++
      request.socket.destroy()
      return
    }
    const { method, headers, url = '' } = request
    const held = await heldBack(request)
    const onward = http.request(endpoint + url, { method, headers }, (answer) => {
      const { pathname } = new URL(url, endpoint)
      if (method === 'PUT' && answer.statusCode === 200) stored.set(pathname, (stored.get(pathname) ?? 0) + 1)
      held?.answered(answer.statusCode!)
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.on('error', () => onward.destroy())
    if (held) onward.end(held.whole)
    else request.pipe(onward)
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
    /** Holds back the next put of an object whose name ends like this. */
    holdBack(suffix: string) {
      const [held, released, answered] = [
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
        Promise.withResolvers<number>(),
      ]
      const hold = () => {
        held.resolve()
        return released.promise
      }
      holding = { suffix, hold, answered: answered.resolve }
      return { held: held.promise, release: released.resolve, answered: answered.promise }
    },
    goAway() {
      away = true
      proxy.closeAllConnections()
    },
    comeBack() {
      away = false
    },
  }
}
