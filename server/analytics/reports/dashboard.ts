import type { Caller } from '../../base/caller.ts'
import { startOf } from '../../platform/events/calendar.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import { intervalsIn } from './intervals.ts'
import type { DashboardQuery } from './query-schemas.ts'
import type { Dashboard } from './schemas.ts'
import { timeRange, timeText } from './time-range.ts'

/** Views and viewers over time: a point for each interval that the range has some of, zeros included. */
export async function showDashboard(
  caller: Caller,
  query: DashboardQuery,
  deps: ReportDeps,
): Promise<Dashboard> {
  const scope = await allowReport(caller, query, deps)
  const { time_start: start, time_end: end, interval = 'day' } = query
  const range = timeRange(deps.clock(), { start, end }, query)
  const intervals = intervalsIn(interval, range)
  const found = new Map(
    (await deps.events.reports.activity(scope, range, interval, deps.signal)).map((one) => [one.bucket, one]),
  )
  return {
    points: intervals.map((bucket) => {
      const { views = 0, viewers = 0 } = found.get(bucket) ?? {}
      return { timestamp: timeText(startOf(interval, bucket)), views, unique_users: viewers }
    }),
  }
}
