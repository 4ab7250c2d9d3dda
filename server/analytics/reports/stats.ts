import type { Caller } from '../../base/caller.ts'
import type { Content, ContentCounts, ContentQuery } from '../../platform/events/port.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import type { ReportQuery, TopQuery } from './query-schemas.ts'
import { fraction, milliseconds } from './rates.ts'
import type { Counts } from './schemas.ts'
import { timeRange } from './time-range.ts'

const DEFAULT_TOP = '10'

/** What was seen most, with its figures. */
export async function showTop(
  caller: Caller,
  query: TopQuery,
  which: Pick<ContentQuery, 'by' | 'feed'>,
  deps: ReportDeps,
): Promise<({ id: string } & Counts)[]> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), query)
  const limit = Number(query.limit ?? DEFAULT_TOP)
  const { offset = 0 } = query
  const wanted = { ...which, limit: offset + limit }
  const found = await deps.events.reports.contents(scope, range, wanted, deps.signal)
  return found.slice(offset).map((counts) => ({ id: counts.id, ...figuresOf(counts) }))
}

/** The figures of one; zeros where nothing is known of it, whether or not it exists. */
export async function showStats(
  caller: Caller,
  query: ReportQuery,
  { by, id }: { by: Content; id: string },
  deps: ReportDeps,
): Promise<Counts> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), query)
  const [counts] = await deps.events.reports.contents(scope, range, { by, id, limit: 1 }, deps.signal)
  return figuresOf(counts!)
}

function figuresOf({ views, viewers, starts, watches, ends, watched }: ContentCounts): Counts {
  const total = milliseconds(watched)
  return {
    total_views: views,
    unique_viewers: viewers,
    starts,
    watches,
    completions: ends,
    completion_rate: fraction(ends, views),
    avg_watch_time_ms: views === 0 ? 0 : total / views,
    total_watch_time_ms: total,
  }
}
