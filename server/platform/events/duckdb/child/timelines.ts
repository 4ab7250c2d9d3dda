import type { DuckDBConnection } from '@duckdb/node-api'
import { EVEN, type Interval } from '../../calendar.ts'
import type { Activity, EventScope, Returned, TimeRange } from '../../port.ts'
import { within } from './scope.ts'
import { rows, type SqlQuery, sql } from './sql.ts'

/** As bucketOf in calendar.ts. */
export function bucket(interval: Interval): SqlQuery {
  if (interval === 'month')
    return sql`((year(make_timestamp(time)) - 1970) * 12 + month(make_timestamp(time)) - 1)::integer`
  const { length, shift } = EVEN[interval]
  return sql`((time + ${shift}) // ${length})::integer`
}

export async function activity(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  interval: Interval,
): Promise<Activity[]> {
  const events = sql`select ${bucket(interval)} as bucket, viewer, kind, view_type, content_id
    from events where ${await within(connection, scope, range)}`
  const found = await rows<{ bucket: number; views: bigint; viewers: bigint }>(
    connection,
    sql`select bucket, coalesce(views, 0) as views, viewers
      from (select bucket, count(distinct viewer) as viewers from (${events}) group by bucket)
      left join (
        select bucket, sum(case when starts > 0 then starts when viewer is not null then 1 else 0 end)::bigint as views
        from (
          select bucket, content_id, viewer, count(*) filter (view_type = 'start') as starts
          from (${events}) where kind = 'content_view' group by all
        ) group by bucket
      ) using (bucket)
      where viewers > 0 or views > 0
      order by bucket`,
  )
  return found.map((row) => ({
    bucket: row.bucket,
    views: Number(row.views),
    viewers: Number(row.viewers),
  }))
}

export async function retention(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  interval: Interval,
): Promise<Returned[]> {
  const found = await rows<{ first: number; bucket: number; viewers: bigint }>(
    connection,
    sql`select first, bucket, count(*) as viewers
      from (
        select min(bucket) as first, unnest(list(distinct bucket)) as bucket from (
          select viewer, ${bucket(interval)} as bucket from events
          where ${await within(connection, scope, range)} and viewer is not null
        ) group by viewer
      ) group by all order by first, bucket`,
  )
  return found.map((row) => ({ ...row, viewers: Number(row.viewers) }))
}
