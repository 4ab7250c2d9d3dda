import type { Caller } from '../../base/caller.ts'
import { badRequest } from '../../base/errors.ts'
import { bucketOf, startOf } from '../../platform/events/calendar.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import type { DashboardQuery } from './query-schemas.ts'
import type { Dashboard } from './schemas.ts'
import { timeRange, timeText } from './time-range.ts'

const MAX_POINTS = 10_000

/** Views and viewers over time: a point for each interval that the range has some of, zeros included. */
export async function showDashboard(
  caller: Caller,
  query: DashboardQuery,
  deps: ReportDeps,
): Promise<Dashboard> {
  const scope = await allowReport(caller, query, deps)
  const { time_start: start, time_end: end, interval = 'day' } = query
  const range = timeRange(deps.clock(), { start, end }, query)
  const first = bucketOf(interval, range.from)
  const count = bucketOf(interval, range.to - 1) - first + 1
  if (count > MAX_POINTS)
    throw badRequest(`interval: the range has ${count} of it; at most ${MAX_POINTS} are shown`)
  const found = new Map(
    (await deps.events.reports.activity(scope, range, interval, deps.signal)).map((one) => [one.bucket, one]),
  )
  return {
    points: Array.from({ length: count }, (_, i) => {
      const { views = 0, viewers = 0 } = found.get(first + i) ?? {}
      return { timestamp: timeText(startOf(interval, first + i)), views, unique_users: viewers }
    }),
  }
}
