import type { Caller } from '../../base/caller.ts'
import { badRequest } from '../../base/errors.ts'
import { bucketOf, startOf } from '../../platform/events/calendar.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import type { ReportQuery } from './query-schemas.ts'
import { fraction } from './rates.ts'
import type { Retention, RetentionRequest } from './schemas.ts'
import { timeRange, timeText } from './time-range.ts'

/** The answer has about half the square of it in numbers. */
const MAX_PERIODS = 400

/** Who came in which period, and what part of them was seen again in each one after. */
export async function showRetention(
  caller: Caller,
  query: ReportQuery,
  { period = 'day', range: asked }: RetentionRequest,
  deps: ReportDeps,
): Promise<Retention> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), asked, query)
  const first = bucketOf(period, range.from)
  const count = bucketOf(period, range.to - 1) - first + 1
  if (count > MAX_PERIODS)
    throw badRequest(`period: the range has ${count} of it; at most ${MAX_PERIODS} are shown`)
  const seen = Array.from({ length: count }, (_, i) => new Array<number>(count - i).fill(0))
  for (const found of await deps.events.reports.retention(scope, range, period, deps.signal))
    seen[found.first - first]![found.bucket - found.first] = found.viewers
  return {
    period,
    cohorts: seen.map((viewers, i) => ({
      cohort_date: timeText(startOf(period, first + i)).slice(0, 10),
      cohort_size: viewers[0]!,
      retention_data: viewers.map((again) => fraction(again, viewers[0]!)),
    })),
  }
}
