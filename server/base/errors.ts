/**
 * What a use case may refuse with. The status is decided here, by name; the words of `error` belong to
 * the operation that was called (its row in docs/interface.md), so a refusal carries `details` and only
 * in rare cases a message of its own.
 */
export class Refusal extends Error {
  readonly status: number
  readonly details: string | undefined
  /** Overrides the operation's own message for this status. */
  readonly title: string | undefined
  readonly headers: Record<string, string>

  constructor(
    status: number,
    options: { details?: string; title?: string; headers?: Record<string, string> } = {},
  ) {
    super(options.details ?? options.title ?? `refused with ${status}`)
    this.status = status
    this.details = options.details
    this.title = options.title
    this.headers = options.headers ?? {}
  }
}

export const badRequest = (details: string) => new Refusal(400, { details })
export const unauthorized = (details?: string) => new Refusal(401, { details })
export const forbidden = (details?: string) => new Refusal(403, { details })
export const notFound = (details?: string) => new Refusal(404, { details })
export const conflict = (details: string) => new Refusal(409, { details })

export const tooManyRequests = (details: string, retryAfterSeconds: number) =>
  new Refusal(429, { details, headers: { 'retry-after': String(retryAfterSeconds) } })

export const unavailable = (details?: string) =>
  new Refusal(503, { details, headers: { 'retry-after': '1' } })

/** A reason to end the process with one line for the person who started it. */
export class StartupError extends Error {}
