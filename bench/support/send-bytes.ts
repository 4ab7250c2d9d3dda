import { once } from 'node:events'
import http from 'node:http'

const PIECE = Buffer.alloc(2 ** 20, 'marquee ')

/** Sends this many bytes in one request, as fast as they are taken, and resolves when they are acknowledged. */
export async function sendBytes(
  url: string,
  { bytes, method, headers = {} }: { bytes: number; method: 'PUT' | 'PATCH'; headers?: object },
): Promise<void> {
  const request = http.request(url, { method, headers: { ...headers, 'content-length': bytes } })
  const answered = once(request, 'response')
  for (let left = bytes; left > 0; left -= PIECE.length)
    if (!request.write(left < PIECE.length ? PIECE.subarray(0, left) : PIECE))
      await Promise.race([once(request, 'drain'), answered])
  request.end()
  const [answer] = (await answered) as [http.IncomingMessage]
  answer.resume()
  if (answer.statusCode! >= 300) throw new Error(`${method} answered ${answer.statusCode}`)
  if (!answer.complete) await once(answer, 'end')
}
