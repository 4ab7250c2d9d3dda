import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkPreconditions } from '../../http/preconditions.ts'
import type { Copy } from './copies.ts'

/** Sends an answer, or nothing where the client has it. Others may keep it, and ask whether it still holds. */
export function sendCopy(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { body, etag }: Copy,
  isPublic = false,
): FastifyReply {
  reply.header('etag', etag)
  reply.header('cache-control', isPublic ? 'public, no-cache' : 'private, no-cache')
  if (checkPreconditions(headers, { etag }) === 304) return reply.code(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}
