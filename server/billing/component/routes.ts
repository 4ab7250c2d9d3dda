import { createHash, timingSafeEqual } from 'node:crypto'
import type http from 'node:http'
import { notFound, Refusal, unauthorized } from '../../base/errors.ts'
import type { ErrorObject } from '../../http/errors.ts'
import { DEFAULT_MESSAGES } from '../../http/operation.ts'
import { type BillingComponent, MAX_BODY } from '../port.ts'
import { signatureHeadersOf } from '../signature-headers.ts'

export interface ComponentOptions {
  component: BillingComponent
  /** What the service in front of it knows it by, and it the service. */
  secret: string
  /** Throws while the component could store nothing. */
  check(): Promise<unknown>
  onError(error: unknown): void
}

/** The component behind an address of its own: what a service passes on, and whether it is ready for it. */
export function answerForwarded(options: ComponentOptions): http.RequestListener {
  return (request, response) => {
    answer(request, options).then(
      (body) => send(response, 200, body),
      (error) => {
        const refusal = error instanceof Refusal ? error : new Refusal(503)
        if (refusal !== error) options.onError(error)
        const { status: code, title, details, headers } = refusal
        const body: ErrorObject = { code, error: title ?? DEFAULT_MESSAGES[code] ?? 'Error', details }
        send(response, code, body, headers)
      },
    )
  }
}

const WEBHOOK = /^\/webhooks\/([^/?]+)$/

async function answer(
  request: http.IncomingMessage,
  { component, secret, check }: ComponentOptions,
): Promise<object> {
  const { method, url = '' } = request
  if (method === 'GET' && url === '/healthz') return { status: 'ok' }
  if (method === 'GET' && url === '/readyz') {
    await check()
    return { status: 'ready' }
  }
  const provider = method === 'POST' ? WEBHOOK.exec(url)?.[1] : undefined
  if (!provider) throw notFound()
  if (!isSame(request.headers.authorization ?? '', `Bearer ${secret}`)) throw unauthorized()
  const body = await readBody(request)
  const status = await component.receive({
    provider: decodeURIComponent(provider),
    body,
    headers: signatureHeadersOf(request.headers),
  })
  return { status }
}

function isSame(shown: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(shown), digest(expected))
}

async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) throw new Refusal(413, { headers: { connection: 'close' } })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(
  response: http.ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}
