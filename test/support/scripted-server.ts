import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Heard {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  at: number
  /** Whether all of the body has come. */
  isWhole: boolean
}

type Step = (response: ServerResponse, request: IncomingMessage) => void

/** A server that answers the first request by the first step and so on, the last one for ever: for faults on demand. */
export async function scriptedServer(...steps: Step[]) {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const at = performance.now()
    const step = steps[Math.min(heard.length, steps.length - 1)]!
    const one = {
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: '',
      at,
      isWhole: false,
    }
    heard.push(one)
    try {
      for await (const chunk of request) one.body += chunk
    } catch {
      return
    }
    one.isWhole = true
    step(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { url, heard, close }
}

/** Answers with this status and body. */
export const says =
  (status: number, body: object = {}, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Cuts the connection without an answer. */
export const hangsUp: Step = (_response, request) => request.socket.destroy()

/** Never answers. */
export const keepsSilent: Step = () => {}

/** Announces more than it says, and cuts the connection. */
export const saysLess: Step = (response) => {
  response.writeHead(200, { 'content-length': 9000 })
  response.write('x', () => response.destroy())
}

/** Never comes to the end of its answer, however much of it is read. */
export const neverEnds: Step = (response) => {
  response.writeHead(200)
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}
