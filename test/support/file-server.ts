import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** A server of files on an address of the loopback network, which a service may be told to be outside or inside of its own. */
export async function fileServer(serve: Serve, host = '127.0.0.2') {
  const asked: { url: string; range: string | undefined; ifRange: string | undefined }[] = []
  const server = http.createServer((request, response) => {
    const { range, 'if-range': ifRange } = request.headers
    asked.push({ url: request.url!, range, ifRange: ifRange as string | undefined })
    response.on('error', () => {})
    serve(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://${host}:${port}`, port, asked, close }
}

interface FileOptions {
  etag?: string
  /** So many bytes, and then the connection is cut; Infinity: all. */
  cutAfter?: number
  /** Whether the server can go on. One that cannot does not know how long a file is, either. */
  ranges?: boolean
}

/** Sends a file as servers do, whole or from where it is asked for. */
export function sendFile(
  { headers }: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  { etag = '"one"', cutAfter = Number.POSITIVE_INFINITY, ranges = true }: FileOptions = {},
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  const goesOn = ranges && start > 0 && headers['if-range'] === etag
  const rest = goesOn ? content.subarray(start) : content
  response.writeHead(goesOn ? 206 : 200, {
    ...(ranges && { etag, 'content-length': rest.length }),
    ...(goesOn && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
  })
  if (rest.length <= cutAfter) response.end(rest)
  else response.write(rest.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 50))
}
