import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Where a request is cut off: nothing of it gets there, half of it does, or all but nobody hears of it. */
export const CUTS = ['before', 'half', 'after'] as const
export type Cut = (typeof CUTS)[number]

export interface CuttingProxies {
  urls: string[]
  /** From now on, counts requests to any of the servers, and cuts the one of that number (from 0 on). */
  cutNext(number: number, cut: Cut): void
  /** Whether the one to be cut has come. */
  hasCut(): boolean
  close(): void
}

/** Servers behind connections of which one can be cut at a chosen place. */
export async function cuttingProxies(endpoints: string[]): Promise<CuttingProxies> {
  let [count, chosen, how] = [0, -1, 'before' as Cut]
  const proxies = await Promise.all(
    endpoints.map(async (endpoint) => {
      const proxy = http.createServer(async (request, response) => {
        const cut = count++ === chosen ? how : undefined
        if (cut === 'before') return request.socket.destroy()
        const body = await buffer(request)
        const { method, headers, url } = request
        const onward = http.request(endpoint + url, { method, headers, agent: false }, (answer) => {
          if (cut === 'after') return answer.resume().on('end', () => request.socket.destroy())
          response.writeHead(answer.statusCode!, answer.headers)
          answer.pipe(response)
        })
        onward.on('error', () => request.socket.destroy())
        if (cut !== 'half') return onward.end(body)
        // All of it is announced; what comes is half.
        onward.setHeader('Content-Length', body.length)
        onward.write(body.subarray(0, body.length / 2), () => onward.destroy(new Error('cut')))
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      return proxy
    }),
  )
  return {
    urls: proxies.map((proxy) => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`),
    cutNext(number, cut) {
      ;[count, chosen, how] = [0, number, cut]
    },
    hasCut: () => count > chosen,
    close() {
      for (const proxy of proxies) {
        proxy.closeAllConnections()
        proxy.close()
      }
    },
  }
}
