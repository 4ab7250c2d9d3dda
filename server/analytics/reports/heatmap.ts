import type { Caller } from '../../base/caller.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import type { HeatmapQuery, ReportQuery } from './query-schemas.ts'
import { milliseconds } from './rates.ts'
import type { Heatmap, HotSegments } from './schemas.ts'
import { timeRange } from './time-range.ts'

const DEFAULT_BUCKETS = 100

export async function showHeatmap(
  caller: Caller,
  query: HeatmapQuery,
  video: string,
  deps: ReportDeps,
): Promise<Heatmap> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), query)
  const wanted = { video, parts: query.buckets ?? DEFAULT_BUCKETS }
  const { viewers, duration, passes } = await deps.events.reports.heat(scope, range, wanted, deps.signal)
  return {
    video_id: video,
    total_duration_ms: milliseconds(duration),
    data: passes.map((times) => (viewers === 0 ? 0 : times / viewers)),
  }
}

/** How much more often than the average second a second is watched that is hot. */
const HOT = 1.5

export async function findHotSegments(
  caller: Caller,
  query: ReportQuery,
  video: string,
  deps: ReportDeps,
): Promise<HotSegments> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), query)
  const wanted = { video, parts: 'seconds' } as const
  const { passes } = await deps.events.reports.heat(scope, range, wanted, deps.signal)
  return { segments: hotSegments(passes) }
}

/** Runs of hot seconds, in order. */
export function hotSegments(passes: readonly number[]): HotSegments['segments'] {
  const total = sum(passes)
  if (total === 0) return []
  const segments: HotSegments['segments'] = []
  // Compared as whole numbers, so that exactly one and a half times as often is hot.
  const isHot = (second: number) => passes[second]! * passes.length >= HOT * total
  for (let start = 0; start < passes.length; start++) {
    if (!isHot(start)) continue
    let end = start + 1
    while (end < passes.length && isHot(end)) end++
    const times = sum(passes.slice(start, end))
    segments.push({
      start_second: start,
      end_second: end,
      multiplier: (times * passes.length) / (total * (end - start)),
    })
    start = end
  }
  return segments
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
