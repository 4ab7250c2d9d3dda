import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { CACHING } from '../base/caching.ts'
import { isDiskFull } from '../base/disk-full.ts'
import { Refusal, unavailable } from '../base/errors.ts'
import { describeValidation } from './describe-validation.ts'
import { DEFAULT_MESSAGES } from './operation.ts'

export interface ErrorObject {
  code: number
  error: string
  details?: string
}

/** How errors of the engines are to be understood; an app is built with it. */
export interface EngineErrors {
  isOutage(error: unknown): boolean
  /** A status for an engine's refusal that is nobody's failure; 503 where the same may work later. */
  statusOfRefusal(error: unknown): 400 | 404 | 409 | 503 | undefined
}

/** The one place where what went wrong becomes a status and a body. */
export function errorHandler(engines: EngineErrors) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = isBrokenOff(error, request) ? BROKEN_OFF : asRefusal(error, engines)
    if (error !== (refusal as unknown) && refusal.status >= 500)
      request.log.error({ reqId: request.id, err: error }, 'request failed')
    sendRefusal(refusal, request, reply)
  }
}

export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
  const words = request.routeOptions?.config?.errors ?? {}
  const body: ErrorObject = {
    code: refusal.status,
    error: refusal.title ?? words[refusal.status] ?? DEFAULT_MESSAGES[refusal.status] ?? 'Error',
  }
  if (refusal.details) body.details = refusal.details
  request.refused = body
  // It may have been about to send something that others keep.
  reply.removeHeader('etag').removeHeader('last-modified').header('cache-control', CACHING.none)
  // Written out here, not by the operation's serializer: a refusal must never fail for want of a schema.
  reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .serializer((text: unknown) => text as string)
    .send(JSON.stringify(body))
}

/** Whoever goes away in the middle of a body reads no answer; but it is counted, and is no failure of the service. */
const BROKEN_OFF = new Refusal(400, { details: 'the request was broken off' })

function isBrokenOff({ code }: FastifyError, { raw }: FastifyRequest): boolean {
  return code === 'ECONNRESET' && raw.errored !== null && !raw.complete
}

function asRefusal(error: FastifyError, engines: EngineErrors): Refusal {
  if (error instanceof Refusal) return error
  if (error.validation) return new Refusal(400, { details: describeValidation(error) })
  if (isDiskFull(error)) return unavailable('the storage is full')
  const refused = engines.isOutage(error) ? 503 : engines.statusOfRefusal(error)
  if (refused === 503) return unavailable()
  if (refused) return new Refusal(refused)
  // Fastify's own refusals of a request; their messages are ours where a person needs one.
  if (error.code?.startsWith('FST_') && error.statusCode && error.statusCode < 500)
    return new Refusal(error.statusCode, { details: PARSER_DETAILS[error.code] })
  return new Refusal(500)
}

const PARSER_DETAILS: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'body: not valid JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body: its length differs from Content-Length',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'send the body as application/json',
}
