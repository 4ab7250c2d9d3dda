import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { StartupError } from '../base/errors.ts'
import type { LogUnheard } from './logging.ts'
import { DEFAULT_MESSAGES } from './operation.ts'
import { newRequestId, requestId } from './request-id.ts'

export interface ListenOptions {
  host: string
  port: number
  requestTimeoutSeconds: number
}

/**
 * Takes the port before anything else is started, so that a taken one is known at once. Until an app
 * takes over, every request is answered with 503.
 */
export async function openListener({
  host,
  port,
  requestTimeoutSeconds,
}: ListenOptions): Promise<http.Server> {
  const goodbye = { said: false }
  const server = http.createServer({
    ServerResponse: responseClass(goodbye),
    // A client must finish its headers in time. For bodies the app says how long: an upload may take an hour.
    headersTimeout: Math.min(10, requestTimeoutSeconds) * 1000,
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 65_000,
    // Refused in takeOver, with a body.
    requireHostHeader: false,
  })
  goodbyes.set(server, goodbye)
  server.maxRequestsPerSocket = 0
  server.on('request', answerStarting)
  server.on('checkExpectation', answerExpectation)
  watchSilent(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBroken(server, error, socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(asStartupError(error, host, port)))
    server.listen({ host, port, backlog: 1024 }, resolve)
  })
  return server
}

export function portOf(server: http.Server): number {
  return (server.address() as AddressInfo).port
}

/** Hands the listener's requests to the app. What the app never hears of is logged by this. */
export function takeOver(server: http.Server, handler: http.RequestListener, log?: LogUnheard): void {
  if (log) logs.set(server, log)
  server.off('request', answerStarting)
  server.off('checkExpectation', answerExpectation)
  server.on('checkExpectation', (request, response) => answerExpectation(request, response, log))
  server.on('request', (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      answer(request, response, { ...CLOSING, status: 400, details: NO_HOST, log })
    else handler(request, response)
  })
}

const CLOSING = { headers: { connection: 'close' } }
const NO_HOST = 'a request of HTTP/1.1 names its host'

const logs = new WeakMap<http.Server, LogUnheard>()

const goodbyes = new WeakMap<http.Server, { said: boolean }>()

function responseClass(goodbye: { said: boolean }): typeof http.ServerResponse {
  return class extends http.ServerResponse {
    // Every head passes here, however it is written, and also those of requests that were there before.
    override writeHead(...args: [number]) {
      if (goodbye.said) this.shouldKeepAlive = false
      return super.writeHead(...args)
    }
  } as typeof http.ServerResponse
}

/** From now on each answer is the last on its connection: a proxy opens the next one elsewhere. */
export function sayGoodbye(server: http.Server): void {
  const goodbye = goodbyes.get(server)
  if (goodbye) goodbye.said = true
}

/** Stops taking connections and waits for the requests under way, for so long. */
export async function drain(server: http.Server, seconds: number): Promise<void> {
  sayGoodbye(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A kept-alive connection that is idle now, or becomes idle, would hold the close up.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  server.closeIdleConnections()
  for (const socket of silent.get(server) ?? []) socket.destroy()
  const deadline = setTimeout(() => server.closeAllConnections(), seconds * 1000)
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}

/** Connections that have not asked for anything yet; Node does not count them as idle. */
const silent = new WeakMap<http.Server, Set<Socket>>()

function watchSilent(server: http.Server): void {
  const sockets = new Set<Socket>()
  silent.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request) => sockets.delete(request.socket))
}

function answerExpectation(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  log?: LogUnheard,
): void {
  answer(request, response, { ...CLOSING, status: 417, log })
}

function answerStarting(request: http.IncomingMessage, response: http.ServerResponse): void {
  answer(request, response, { status: 503, headers: { 'retry-after': '1' }, details: 'starting' })
}

interface EarlyAnswer {
  status: number
  headers: Record<string, string>
  details?: string
  log?: LogUnheard
}

function answer(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { status, headers, details, log }: EarlyAnswer,
): void {
  const id = requestId(request)
  const body = errorText(status, details)
  const length = Buffer.byteLength(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
    'x-request-id': id,
    ...headers,
  })
  response.end(body)
  log?.({ id, method: request.method, url: request.url, status })
}

const CLIENT_ERRORS: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** What could not even be read as HTTP, or came too slowly, gets an error object too. */
function answerBroken(
  server: http.Server,
  error: NodeJS.ErrnoException,
  socket: import('node:stream').Duplex,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = CLIENT_ERRORS[error.code ?? ''] ?? 400
  const id = newRequestId()
  const body = errorText(status)
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\n` +
      `X-Request-Id: ${id}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  logs.get(server)?.({ id, status, reason: error.code })
}

function errorText(code: number, details?: string): string {
  return JSON.stringify({ code, error: DEFAULT_MESSAGES[code], details })
}

function asStartupError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartupError(`port ${port} on ${host} is taken. Choose another with MARQUEE_PORT.`)
  if (error.code === 'EACCES')
    return new StartupError(
      `port ${port} may not be used by this account. Choose one above 1023 with MARQUEE_PORT.`,
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new StartupError(`${host} is not an address of this machine. Choose another with MARQUEE_HOST.`)
  return error
}
