import type { FastifyReply } from 'fastify'

/** Aborted when whoever asked has gone before the answer was there. */
export function untilGone({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}
