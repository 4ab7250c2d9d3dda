import { SECOND } from '../calendar.ts'
import { type EventScope, type Heat, type HeatQuery, MAX_SECONDS, type TimeRange } from '../port.ts'
import type { Client } from './client.ts'
import { numbers } from './reports.ts'
import type { Tables } from './schema.ts'
import { isIn, literal } from './sql.ts'

const FIRST = 0

export async function askHeat(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  { video, parts }: HeatQuery,
): Promise<Heat> {
  const here = `${isIn(scope, range)} AND kind = 'content_view' AND ifNull(video != '' AND video = ${literal(video)}, 0)`
  const [totals, durations] = await Promise.all([
    client.query(
      FIRST,
      `SELECT ifNull(uniqExact(viewer), 0) AS viewers, maxArray(segment_ends) AS last FROM ${allEvents} WHERE ${here}`,
    ),
    client.query(
      FIRST,
      `SELECT duration, count() AS times FROM ${allEvents} WHERE ${here} AND ifNull(duration > 0, 0)
        GROUP BY duration ORDER BY times DESC, duration DESC LIMIT 1`,
    ),
  ])
  const { viewers, last } = numbers(totals[0]!, 'viewers', 'last')
  const duration = Number(durations[0]?.duration ?? Math.max(0, last))
  const count = parts === 'seconds' ? Math.min(Math.ceil(duration / SECOND), MAX_SECONDS) : parts
  if (duration === 0) return { viewers, duration, passes: new Array(count).fill(0) }

  // A time is in part `time * times / length`. Each segment adds one where it begins, and takes it away after
  // its last part: going through the parts in order gives how many there are in each.
  const [times, length] = parts === 'seconds' ? [1, SECOND] : [parts, duration]
  const rows = await client.query(
    FIRST,
    `SELECT change.1 AS part, sum(change.2) AS difference FROM (
        SELECT arrayJoin([
          (intDiv(starts * ${times}, ${length}), toInt64(1)),
          (intDiv(least(ends, ${literal(duration)}) * ${times} - 1, ${length}) + 1, toInt64(-1))]) AS change
        FROM ${allEvents} ARRAY JOIN segment_starts AS starts, segment_ends AS ends
        WHERE ${here} AND isNotNull(viewer) AND ends > starts AND starts < ${literal(duration)})
      GROUP BY part`,
  )
  const differences = new Map(rows.map((row) => [Number(row.part), Number(row.difference)]))
  const passes: number[] = []
  for (let part = 0, now = 0; part < count; part++) {
    now += differences.get(part) ?? 0
    passes.push(now)
  }
  return { viewers, duration, passes }
}
