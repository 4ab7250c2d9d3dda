import type { Caller } from '../../base/caller.ts'
import { startOf } from '../../platform/events/calendar.ts'
import type { QualityCounts } from '../../platform/events/port.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import type { PlaybackQuality } from './quality-schemas.ts'
import type { QualityReportQuery } from './query-schemas.ts'
import { fraction } from './rates.ts'
import { timeRange, timeText } from './time-range.ts'

/** How well a video played, or all of them together; zeros where nothing is known. */
export async function showQuality(
  caller: Caller,
  query: QualityReportQuery,
  video: string | undefined,
  deps: ReportDeps,
): Promise<PlaybackQuality> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), query)
  const { by } = query
  const ask = (wanted: object) => deps.events.reports.quality(scope, range, { video, ...wanted }, deps.signal)
  const [[all = NOTHING], groups] = await Promise.all([ask({}), by === undefined ? [] : ask({ by })])
  if (by === 'day') groups.sort((a, b) => Number(a.group) - Number(b.group))
  return {
    ...figuresOf(all),
    groups: groups.map((one) => ({
      value: by === 'day' ? timeText(startOf('day', Number(one.group))).slice(0, 10) : one.group,
      ...figuresOf(one),
    })),
  }
}

const NOTHING: QualityCounts = {
  group: '',
  plays: 0,
  failed: 0,
  startMedian: 0,
  startP95: 0,
  stalled: 0,
  watched: 0,
  heights: 0,
  dropped: 0,
  frames: 0,
}

function figuresOf(counts: QualityCounts): Omit<PlaybackQuality, 'groups'> {
  const { plays, failed, startMedian, startP95, stalled, watched, heights, dropped, frames } = counts
  return {
    plays,
    failed_plays: failed,
    failure_rate: fraction(failed, plays),
    start_median_ms: startMedian,
    start_p95_ms: startP95,
    stalled_share: fraction(stalled, stalled + watched),
    average_rung: watched === 0 ? 0 : heights / watched,
    dropped_frame_rate: fraction(dropped, frames),
  }
}
