import type { FastifyReply, FastifyRequest } from 'fastify'
import { CACHING } from '../base/caching.ts'
import { Refusal } from '../base/errors.ts'
import type { HeaderName } from './openapi/response-headers.ts'
import { checkPreconditions } from './preconditions.ts'

/** An answer as it goes over the wire. */
export interface CachedResponse {
  body: Buffer
  /** Quoted and strong. */
  etag: string
}

/** Finds the answer to a request for everybody by the parts of its address. */
export type FindCached = (params: Record<string, string>) => Promise<CachedResponse>

export const CACHED_TYPE = 'application/json; charset=utf-8'

/** What an answer carries that a client may keep. */
export const CACHE_HEADERS: HeaderName[] = ['ETag', 'Cache-Control']

export const NOT_CHANGED = { description: 'what the client has is what there is', type: 'null' } as const

/** Sends an answer, or nothing where the client has it. */
export function sendCached(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { body, etag }: CachedResponse,
  { isPublic = false, type = CACHED_TYPE } = {},
): FastifyReply {
  reply.header('etag', etag).header('cache-control', isPublic ? CACHING.publicCopy : CACHING.privateCopy)
  const verdict = checkPreconditions(headers, { etag })
  if (verdict === 412) throw new Refusal(412)
  if (verdict === 304) return reply.code(304).send()
  return reply.header('content-type', type).send(body)
}
