import { traced, traceparent } from '../base/tracing.ts'
import type { Outbound, OutboundAnswer } from '../platform/outbound/port.ts'
import type { AttemptOutcome, ClaimedDelivery } from './dispatch-store.ts'
import { signedHeaders } from './signature.ts'

export interface AttemptOptions {
  outbound: Outbound
  timeoutMs: number
  /** Before the second try; those after it wait longer and longer. */
  firstPauseSeconds: number
}

const ANSWER_BYTES = 4096

/** Tells an endpoint of a message, and answers what came of it. Each is a trace, which the endpoint may go on with. */
export function attempt(claim: ClaimedDelivery, options: AttemptOptions): Promise<AttemptOutcome> {
  return traced(
    () => ({
      name: 'webhook delivery',
      kind: 'client',
      attributes: { 'marquee.webhook.type': claim.kind, 'marquee.attempt': claim.attempt },
      begins: {},
    }),
    async (span) => {
      const outcome = await tell(claim, options)
      if (span && outcome.status) span.attributes['http.response.status_code'] = outcome.status
      if (span) span.failed = outcome.state !== 'delivered'
      return outcome
    },
  )
}

async function tell(claim: ClaimedDelivery, options: AttemptOptions): Promise<AttemptOutcome> {
  const at = Date.now()
  const started = performance.now()
  const body = bodyOf(claim)
  const trace = traceparent()
  const headers = {
    ...signedHeaders({ id: claim.message_id, at, body, secrets: claim.secrets }),
    ...(trace && { traceparent: trace }),
  }
  const { outbound, timeoutMs } = options
  const request = {
    url: claim.url,
    method: 'POST' as const,
    headers,
    body,
    timeoutMs,
    mostBytes: ANSWER_BYTES,
  }
  let answer: OutboundAnswer | undefined
  let error: string | null = null
  try {
    answer = await outbound.send(request)
  } catch (thrown) {
    error = reasonOf(thrown)
  }
  const isTaken = answer !== undefined && answer.status >= 200 && answer.status < 300
  const pause = isTaken
    ? 0
    : pauseAfter(claim.attempt - claim.earlier_attempts, options.firstPauseSeconds, answer)
  const isOver = Date.now() + pause * 1000 >= Date.parse(claim.give_up_at)
  return {
    endpoint_id: claim.endpoint_id,
    seq: claim.seq,
    attempt: claim.attempt,
    state: isTaken ? 'delivered' : isOver ? 'failed' : 'pending',
    pause_seconds: pause,
    started_at: new Date(at).toISOString(),
    duration_ms: Math.round(performance.now() - started),
    url: claim.url,
    request_headers: headers,
    status: answer?.status ?? null,
    response_headers: answer ? keepable(answer.headers) : null,
    response_body: answer ? text(answer.body) : null,
    error,
  }
}

export function bodyOf({
  kind,
  happened_at,
  data,
}: Pick<ClaimedDelivery, 'kind' | 'happened_at' | 'data'>): string {
  return JSON.stringify({ type: kind, timestamp: happened_at, data })
}

const LONGEST_PAUSE_SECONDS = 6 * 3600
const LONGEST_WISH_SECONDS = 24 * 3600

/** Three times as long after every try, never the same for all that failed together; an endpoint's wish is heeded. */
function pauseAfter(attempts: number, first: number, answer?: Pick<OutboundAnswer, 'headers'>): number {
  const grown = Math.min(LONGEST_PAUSE_SECONDS, first * 3 ** (attempts - 1))
  return Math.max(grown * (0.8 + 0.4 * Math.random()), wishedPause(answer?.headers['retry-after']))
}

function wishedPause(retryAfter: string | undefined): number {
  if (!retryAfter) return 0
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST_WISH_SECONDS) : 0
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nobody listens at the address',
  ECONNRESET: 'the connection was broken off',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  ETIMEDOUT: 'the address could not be reached',
}

function reasonOf(thrown: unknown): string {
  const { code = '', message } = thrown as NodeJS.ErrnoException
  return text(REASONS[code] ?? (message || code || 'it failed')).slice(0, 500)
}

/** What PostgreSQL can keep. */
const text = (given: string) => given.replaceAll('\0', '\uFFFD')

function keepable(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).slice(0, 50)
  return Object.fromEntries(entries.map(([name, value]) => [text(name), text(value).slice(0, 1000)]))
}
