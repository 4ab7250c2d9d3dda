import {
  type EventScope,
  MAX_GROUPS,
  PLAYBACK,
  type QualityCounts,
  type QualityQuery,
  type TimeRange,
} from '../port.ts'
import type { Client } from './client.ts'
import { numbers } from './reports.ts'
import type { Tables } from './schema.ts'
import { bucketOf, isIn, literal } from './sql.ts'

/** A report asks the first server, which asks the others. */
const FIRST = 0

function groupOf(by: QualityQuery['by']): string {
  if (by === undefined) return literal('')
  return by === 'day' ? `toString(${bucketOf('day')})` : `ifNull(${by}, '')`
}

/** Text of so many digits at most, as a number; -1 for any other. */
const numberOf = (column: string, digits: number) =>
  `if(match(ifNull(${column}, ''), '^[0-9]{1,${digits}}$') AND NOT endsWith(ifNull(${column}, ''), '\\n'), toInt64OrZero(ifNull(${column}, '')), toInt64(-1))`

/** Where a field is this text; absent, it is none. */
const equals = (column: string, text: string) => `ifNull(${column} = ${literal(text)}, 0)`

export async function askQuality(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  { video, by }: QualityQuery,
): Promise<QualityCounts[]> {
  const is = (column: string) => (video === undefined ? `ifNull(${column} != '', 0)` : equals(column, video))
  const kinds = PLAYBACK.map((kind) => literal(kind)).join(', ')
  const isPlayback = `kind = 'interaction' AND ${equals('element_type', 'video')} AND ifNull(interaction_type, '') IN (${kinds}) AND ${is('element_id')}`
  const isFailure = `kind = 'error' AND ${equals('error_type', 'playback')} AND ${equals('resource_type', 'video')} AND ${is('resource_id')}`
  const rows = await client.query(
    FIRST,
    `SELECT part, plays, failed, stalled, watched, heights, dropped, frames,
        if(empty(starts), toInt64(0), starts[intDiv(length(starts) + 1, 2)]) AS startMedian,
        if(empty(starts), toInt64(0), starts[intDiv(length(starts) * 95 + 99, 100)]) AS startP95
      FROM (
        SELECT part, uniqExactIf(play, play != '') AS plays, uniqExactIf(play, play != '' AND is_error) AS failed,
          arraySort(groupArrayIf(x, what = 'playback_start' AND x >= 0)) AS starts,
          sumIf(x, what = 'playback_stall' AND x >= 0) AS stalled,
          sumIf(x, what = 'playback_rung' AND x >= 0 AND height >= 0) AS watched,
          sumIf(x * height, what = 'playback_rung' AND x >= 0 AND height >= 0) AS heights,
          sumIf(x, what = 'playback_frames' AND x >= 0 AND y >= 0) AS dropped,
          sumIf(y, what = 'playback_frames' AND x >= 0 AND y >= 0) AS frames
        FROM (
          SELECT ${groupOf(by)} AS part, kind = 'error' AS is_error, ifNull(session_id, '') AS play,
            if(kind = 'interaction', ifNull(interaction_type, ''), '') AS what,
            ${numberOf('click_x', 9)} AS x, ${numberOf('click_y', 9)} AS y, ${numberOf('click_y', 5)} AS height
          FROM ${allEvents} WHERE ${isIn(scope, range)} AND ((${isPlayback}) OR (${isFailure})))
        GROUP BY part)
      ORDER BY plays DESC, part LIMIT ${MAX_GROUPS}`,
  )
  return rows.map((row) => ({
    group: row.part!,
    ...numbers(
      row,
      'plays',
      'failed',
      'startMedian',
      'startP95',
      'stalled',
      'watched',
      'heights',
      'dropped',
      'frames',
    ),
  }))
}
