/** Spans of time that reports count by, in UTC; weeks begin on Monday. */
export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

export const SECOND = 1_000_000
export const HOUR = 3600 * SECOND
export const DAY = 24 * HOUR

/** Those of one length: the length, and how far before 1970 the first began. 1970-01-01 was a Thursday. */
export const EVEN = {
  hour: { length: HOUR, shift: 0 },
  day: { length: DAY, shift: 0 },
  week: { length: 7 * DAY, shift: 3 * DAY },
} as const satisfies Partial<Record<Interval, { length: number; shift: number }>>

/** The number of the span that a time is in, from the one with the first moment of 1970 on. */
export function bucketOf(interval: Interval, time: number): number {
  if (interval !== 'month') return Math.floor((time + EVEN[interval].shift) / EVEN[interval].length)
  const date = new Date(Math.floor(time / 1000))
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

/** When a span begins, in microseconds. */
export function startOf(interval: Interval, bucket: number): number {
  if (interval !== 'month') return bucket * EVEN[interval].length - EVEN[interval].shift
  return Date.UTC(1970, bucket) * 1000
}
