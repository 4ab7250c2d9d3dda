import type { DuckDBConnection } from '@duckdb/node-api'
import { SECOND } from '../../calendar.ts'
import { type EventScope, type Heat, type HeatQuery, MAX_SECONDS, type TimeRange } from '../../port.ts'
import { within } from './scope.ts'
import { type Query, rows, sql } from './sql.ts'

export async function heat(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { video, parts }: HeatQuery,
): Promise<Heat> {
  const views = sql`select * from events where ${await within(connection, scope, range)}
    and kind = 'content_view' and video in (select no from contents where name = ${video})`
  const segments = sql`select * from (
      select viewer, unnest(segment_starts) as start, unnest(segment_ends) as stop from (${views})
    ) where stop > start`
  const [about] = await rows<{ viewers: bigint; stated: bigint | null; watched: bigint | null }>(
    connection,
    sql`select
      (select count(distinct viewer) from (${views})) as viewers,
      (select duration from (${views}) where duration > 0
        group by duration order by count(*) desc, duration desc limit 1) as stated,
      (select max(list_max(segment_ends)) from (${views})) as watched`,
  )
  const duration = Math.max(0, Number(about!.stated ?? about!.watched ?? 0))
  const count = parts === 'seconds' ? Math.min(Math.ceil(duration / SECOND), MAX_SECONDS) : parts
  const passes = new Array<number>(count).fill(0)
  if (duration > 0)
    for (const { first, last, times } of await runs(connection, segments, duration, parts))
      for (let part = first; part <= Math.min(last, count - 1); part++) passes[part]! += Number(times)
  return { viewers: Number(about!.viewers), duration, passes }
}

/** From which part to which, and how often. */
function runs(connection: DuckDBConnection, segments: Query, duration: number, parts: HeatQuery['parts']) {
  const [times, over] = parts === 'seconds' ? [1, SECOND] : [parts, duration]
  return rows<{ first: number; last: number; times: bigint }>(
    connection,
    sql`select (start * ${times} // ${over})::integer as first,
        ((least(stop, ${duration}) * ${times} - 1) // ${over})::integer as last, count(*) as times
      from (${segments}) where viewer is not null and start < ${duration} group by all`,
  )
}
