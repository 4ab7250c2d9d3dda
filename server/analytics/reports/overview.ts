import type { Caller } from '../../base/caller.ts'
import { startOf } from '../../platform/events/calendar.ts'
import type { OverviewCounts } from '../../platform/events/overview-port.ts'
import type { TimeRange } from '../../platform/events/port.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import { intervalsIn } from './intervals.ts'
import type { Overview } from './overview-schemas.ts'
import type { OverviewReportQuery } from './query-schemas.ts'
import { fraction, milliseconds } from './rates.ts'
import { timeRange, timeText } from './time-range.ts'

const NOTHING: OverviewCounts = { bucket: 0, views: 0, viewers: 0, ends: 0, watched: 0n }

/** All views of a range together, beside those of the period before it, and over time. */
export async function showOverview(
  caller: Caller,
  query: OverviewReportQuery,
  deps: ReportDeps,
): Promise<Overview> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), query)
  const { interval = 'day', video_id: video, feed_id: feed, country } = query
  const intervals = intervalsIn(interval, range)
  const ask = (range: TimeRange, by: object = {}) =>
    deps.events.reports.overview(scope, range, { video, feed, country, ...by }, deps.signal)
  const [[now], [before], series] = await Promise.all([
    ask(range),
    ask({ from: range.from - (range.to - range.from), to: range.from }),
    ask(range, { interval }),
  ])
  const found = new Map(series.map((one) => [one.bucket, one]))
  return {
    totals: totalsOf(now),
    previous: totalsOf(before),
    points: intervals.map((bucket) => {
      const { views, viewers, watched } = found.get(bucket) ?? NOTHING
      const timestamp = timeText(startOf(interval, bucket))
      return { timestamp, views, viewers, watch_time_ms: milliseconds(watched) }
    }),
  }
}

function totalsOf({ views, viewers, ends, watched } = NOTHING): Overview['totals'] {
  return {
    views,
    viewers,
    watch_time_ms: milliseconds(watched),
    completion_rate: fraction(ends, views),
  }
}
