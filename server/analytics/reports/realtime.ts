import type { Caller } from '../../base/caller.ts'
import { type AskedScope, allowReport, type ReportDeps } from './allow-report.ts'
import type { Realtime } from './schemas.ts'
import { type AskedRange, timeRange, timeText } from './time-range.ts'

const SPAN = 5 * 60 * 1_000_000

/** What happens now: the last five minutes, this millisecond included, or what of them lies in the range asked for. */
export async function showRealtime(
  caller: Caller,
  asked: AskedScope & AskedRange,
  deps: ReportDeps,
): Promise<Realtime> {
  const scope = await allowReport(caller, asked, deps)
  const now = deps.clock()
  const end = (now + 1) * 1000
  const range = timeRange(now, asked)
  const { viewers, lastMinute, kinds, countries, recent } = await deps.events.reports.realtime(
    scope,
    { from: Math.max(end - SPAN, range.from), to: Math.min(end, range.to) },
    undefined,
    deps.signal,
  )
  return {
    timestamp: timeText(now * 1000),
    active_users: viewers,
    events_per_minute: lastMinute,
    top_events: kinds.map(({ kind, count }) => ({ event_type: kind, count })),
    top_countries: countries,
    recent_events: recent.map(({ time, kind, viewer, country, page, content_id }) => ({
      timestamp: timeText(time),
      event_type: kind,
      user_id: viewer ?? '',
      country: country ?? '',
      page: page ?? '',
      content_id: content_id ?? '',
    })),
  }
}
