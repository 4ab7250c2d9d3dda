import { EventsUnavailable } from '../errors.ts'

/** A statement that ClickHouse understood and refused, or did not understand. */
export class ClickHouseError extends Error {
  override name = 'ClickHouseError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** This server cannot do it now, and another replica may. */
export class ServerAway extends EventsUnavailable {
  override name = 'ServerAway'
  /** It was waited for so long that whoever asks waits no longer for another. */
  readonly isSlow: boolean

  constructor(message: string, { isSlow = false, cause }: { isSlow?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isSlow = isSlow
  }
}

const AWAY = new Set([
  32, // a server ended in the middle of an answer
  209, // socket timeout
  210, // network
  225, // no ZooKeeper
  242, // table is read-only, as it is without ZooKeeper
  279, // all connections failed
  999, // ZooKeeper
])

/** What passes by itself: no room, no memory, too much at once. */
const PASSING = new Set([
  159, // timeout
  202, // too many queries
  203, // no free connection
  216, // a query with the same id is running
  241, // memory
  243, // no space
  252, // too many parts
  394, // query was killed
])

/**
 * What an insert is refused with because of what is in its rows, as columns of our types are read. Not among them is
 * what says that the table is another one than ours (a type that does not fit, a column that is missing).
 */
const OF_ROWS = new Set([
  6, // text that cannot be parsed
  25, // an escape
  26, // a quoted text
  27, // something else than what must follow, which is most that is no number
  72, // no number, as newer servers say it
  117, // no end of the row where it must be, as newer servers say it
  128, // an array that is too long
  130, // no array
  131, // a text that is too long
])

/** Whether ClickHouse has refused rows for what is in them: it will whenever they come again. */
export function isOfRows(error: unknown): error is ClickHouseError {
  return error instanceof ClickHouseError && OF_ROWS.has(error.code)
}

/** What an answer other than 200 means. */
export function errorOf(status: number, body: string): Error {
  const code = Number(/Code: (\d+)/.exec(body)?.[1] ?? 0)
  const message = `ClickHouse answers ${status}: ${body.trim().slice(0, 500)}`
  if (AWAY.has(code)) return new ServerAway(message)
  if (code === 0 || PASSING.has(code)) return new EventsUnavailable(message)
  return new ClickHouseError(code, message)
}

/** What a request that got no answer means. */
export function unreachable(url: string, error: unknown): ServerAway {
  const { name, message, cause } = error as Error
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined
  const said = `no answer from ClickHouse at ${new URL(url).origin}: ${reason ?? message}`
  return new ServerAway(said, { isSlow: ['TimeoutError', 'AbortError'].includes(name), cause: error })
}
