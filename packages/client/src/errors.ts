/** Why a call failed: what the service refused, or that no answer came. */
export class MarqueeError extends Error {
  override readonly name: string = 'MarqueeError'
  /** Of the answer; 0 where none came: the network failed, or the time was up. */
  readonly status: number
  /** The same, as the body of a refusal says it. */
  readonly code: number
  /** The operation's own word for the refusal, such as `Video not found`. */
  readonly error: string
  /** What is wrong, in a sentence. */
  readonly details: string | undefined
  /** To be found again in the service's log. */
  readonly requestId: string | undefined
  /** Seconds after which it is worth trying again, where the service said so. */
  readonly retryAfter: number | undefined

  constructor(failure: Failure) {
    const { status, error, details } = failure
    super(details ? `${error}: ${details}` : error, { cause: failure.cause })
    this.status = status
    this.code = failure.code ?? status
    this.error = error
    this.details = details
    this.requestId = failure.requestId
    this.retryAfter = failure.retryAfter
  }
}

export interface Failure {
  status: number
  code?: number
  error: string
  details?: string
  requestId?: string
  retryAfter?: number
  cause?: unknown
}

/** A call's answer or its error as a value, for those who would rather not catch. */
export type Outcome<T> = { data: T; error?: undefined } | { data?: undefined; error: MarqueeError }

export async function attempt<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { data: await call }
  } catch (error) {
    if (error instanceof MarqueeError) return { error }
    throw error
  }
}

/** What an answer that is no success says. Whoever answered may not have been the service: the body can be anything. */
export async function refusalOf(response: Response): Promise<MarqueeError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  let said: Partial<Failure> = {}
  try {
    said = Object(JSON.parse(text))
  } catch {
    // A proxy's page: the status says enough.
  }
  return new MarqueeError({
    status,
    code: said.code,
    error: said.error ?? response.statusText,
    details: said.details,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsToWait(headers),
  })
}

/** `Retry-After` in seconds or as a date; otherwise when the ceilings that are used up open again. */
function secondsToWait(headers: Headers): number | undefined {
  const said = headers.get('retry-after')
  if (said) {
    const seconds = Number(said)
    return Math.max(0, Number.isNaN(seconds) ? (Date.parse(said) - Date.now()) / 1000 : seconds)
  }
  const usedUp = [...(headers.get('ratelimit') ?? '').matchAll(/;r=0;t=(\d+)/g)].map(([, t]) => Number(t))
  return usedUp.length > 0 ? Math.max(...usedUp) : undefined
}
