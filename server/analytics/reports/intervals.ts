import { badRequest } from '../../base/errors.ts'
import { bucketOf, type Interval } from '../../platform/events/calendar.ts'
import type { TimeRange } from '../../platform/events/port.ts'

const MAX_POINTS = 10_000

/** The intervals that a range has some of, as calendar.ts counts them, in order; throws 400 where they are too many. */
export function intervalsIn(interval: Interval, range: TimeRange): number[] {
  const first = bucketOf(interval, range.from)
  const count = bucketOf(interval, range.to - 1) - first + 1
  if (count > MAX_POINTS)
    throw badRequest(`interval: the range has ${count} of it; at most ${MAX_POINTS} are shown`)
  return Array.from({ length: count }, (_, i) => first + i)
}
