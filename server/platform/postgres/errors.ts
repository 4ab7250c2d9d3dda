import { DatabaseError } from 'pg'

/** The database could not be reached, or broke off: the same call may work later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  readonly code: string | undefined

  constructor(cause: unknown) {
    const { message, code } = cause as { message: string; code?: string }
    super(message || code, { cause })
    this.code = code
  }
}

const OUTAGE_CODES = new Set([
  // The server is shutting down, starting up, recovering, or crashed under the query; it ran out of connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // Its disk is full.
  '53100',
])

/** What the server says, where that is an outage; every other refusal stays what it is. */
export function translate(error: unknown): unknown {
  return error instanceof DatabaseError && saysOutage(error) ? new DatabaseUnavailable(error) : error
}

function saysOutage({ code }: DatabaseError): boolean {
  return OUTAGE_CODES.has(code ?? '') || (code ?? '').startsWith('08')
}

/** Whether the server closes the connection after saying this; `severity` may be in its own language. */
export function endsConnection({ code, severity }: DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC' || /^(57P0|08)/.test(code ?? '')
}

/** A connection's own failure. What the server gave as its reason may be a refusal, of a password for instance. */
export function connectionFailure(error: unknown): Error {
  return error instanceof DatabaseError && !saysOutage(error) ? error : new DatabaseUnavailable(error)
}

/**
 * Whether the database could not be reached, as opposed to a refusal by it. Only its own connections can tell:
 * a missing file and a broken pipe have the same codes wherever they come from.
 */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnavailable
}

/** What the server gave as its reason to refuse, in its own codes; undefined for what is no refusal of it. */
export function codeOfRefusal(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

/** Whether the server lets nobody in who comes from there, in that way or by that name. */
export function isRefusedClient(error: unknown): boolean {
  return codeOfRefusal(error) === '28000'
}

/** What a statement that the database refused means for whoever asked, where no use case said so before. */
export function statusOfRefusal(error: unknown): 400 | 404 | 409 | 503 | undefined {
  return error instanceof DatabaseError ? REFUSALS[error.code ?? ''] : undefined
}

const REFUSALS: Record<string, 400 | 404 | 409 | 503> = {
  // Somebody deleted what this refers to between the look and the write.
  '23503': 404,
  '23505': 409,
  // A character that text cannot hold.
  '22021': 400,
  '22P05': 400,
  // Undone again and again: whoever asks later may be luckier.
  '40P01': 503,
  '40001': 503,
}

/** How often what was undone for the sake of others is tried, before whoever asked is told to ask again. */
export const MOST_TRIES = 5

/**
 * Whether the database has undone it for the sake of another: of transactions that waited for each other it ends one, and one of
 * those that could not have happened one after the other. Nothing of it is left, so it may be tried again.
 */
export function isUndone(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001')
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505'
}
