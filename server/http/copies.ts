import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../base/errors.ts'
import { checkPreconditions } from './preconditions.ts'

/** An answer as it goes over the wire. */
export interface Copy {
  body: Buffer
  /** Quoted and strong. */
  etag: string
}

/** Finds the answer to a request for everybody by the parts of its address. */
export type FindCopy = (params: Record<string, string>) => Promise<Copy>

export const COPY_TYPE = 'application/json; charset=utf-8'

export const NOT_CHANGED = { description: 'what the client has is what there is', type: 'null' } as const

/** Others may keep a copy, but ask whether it still holds. */
export function cacheControl({ isPublic }: { isPublic: boolean }): string {
  return isPublic ? 'public, no-cache' : 'private, no-cache'
}

/** Sends an answer, or nothing where the client has it. */
export function sendCopy(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { body, etag }: Copy,
  { isPublic = false } = {},
): FastifyReply {
  reply.header('etag', etag).header('cache-control', cacheControl({ isPublic }))
  const verdict = checkPreconditions(headers, { etag })
  if (verdict === 412) throw new Refusal(412)
  if (verdict === 304) return reply.code(304).send()
  return reply.header('content-type', COPY_TYPE).send(body)
}
