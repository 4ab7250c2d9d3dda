import type { DuckDBConnection } from '@duckdb/node-api'
import { DAY } from '../../calendar.ts'
import {
  type EventScope,
  MAX_GROUPS,
  PLAYBACK,
  type QualityCounts,
  type QualityQuery,
  type TimeRange,
} from '../../port.ts'
import { within } from './scope.ts'
import { join, name, rows, type SqlQuery, sql } from './sql.ts'

function groupOf(by: QualityQuery['by']): SqlQuery {
  if (by === undefined) return sql`''`
  if (by === 'day') return sql`(time // ${DAY})::bigint::varchar`
  return sql`coalesce(${name(by)}, '')`
}

/** Text of so many digits at most, as a number. */
function numberOf(column: string, digits: number): SqlQuery {
  const pattern = { text: `'[0-9]{1,${digits}}'`, values: [] }
  return sql`case when regexp_full_match(${name(column)}, ${pattern}) then try_cast(${name(column)} as bigint) end`
}

type CountsRow = Record<Exclude<keyof QualityCounts, 'group'>, bigint> & { group: string }

export async function quality(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { video, by }: QualityQuery,
): Promise<QualityCounts[]> {
  const is = (column: string) =>
    video === undefined ? sql`${name(column)} <> ''` : sql`${name(column)} = ${video}`
  const kinds = join(
    PLAYBACK.map((kind) => sql`${kind}`),
    ', ',
  )
  const events = sql`select ${groupOf(by)} as "group", kind, interaction_type as what,
      nullif(session_id, '') as play, ${numberOf('click_x', 9)} as x, ${numberOf('click_y', 9)} as y,
      ${numberOf('click_y', 5)} as height
    from events where ${await within(connection, scope, range)} and (
      (kind = 'interaction' and element_type = 'video' and interaction_type in (${kinds}) and ${is('element_id')})
      or (kind = 'error' and error_type = 'playback' and resource_type = 'video' and ${is('resource_id')}))`
  const found = await rows<CountsRow>(
    connection,
    sql`select "group", plays, failed, stalled, watched, heights, dropped, frames,
        coalesce(starts[(len(starts) + 1) // 2], 0)::bigint as "startMedian",
        coalesce(starts[(len(starts) * 95 + 99) // 100], 0)::bigint as "startP95"
      from (
        select "group", count(distinct play) as plays, count(distinct play) filter (kind = 'error') as failed,
          list_sort(list(x) filter (what = 'playback_start' and x is not null)) as starts,
          coalesce(sum(x) filter (what = 'playback_stall'), 0) as stalled,
          coalesce(sum(x) filter (what = 'playback_rung' and height is not null), 0) as watched,
          coalesce(sum(x * height) filter (what = 'playback_rung'), 0) as heights,
          coalesce(sum(x) filter (what = 'playback_frames' and y is not null), 0) as dropped,
          coalesce(sum(y) filter (what = 'playback_frames' and x is not null), 0) as frames
        from (${events}) group by "group")
      order by plays desc, "group" limit ${MAX_GROUPS}`,
  )
  return found.map(({ group, ...counts }) => ({
    group,
    ...(Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])) as Omit<
      QualityCounts,
      'group'
    >),
  }))
}
