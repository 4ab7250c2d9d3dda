import type { DuckDBConnection } from '@duckdb/node-api'
import type { OverviewCounts, OverviewQuery } from '../../overview-port.ts'
import type { EventScope, TimeRange } from '../../port.ts'
import { within } from './scope.ts'
import { name, rows, sql } from './sql.ts'
import { bucket } from './timelines.ts'

interface OverviewRow extends Record<string, unknown> {
  bucket: number
  views: bigint
  viewers: bigint
  ends: bigint
  watched: bigint
}

export async function overview(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { interval, video, feed, country }: OverviewQuery,
): Promise<OverviewCounts[]> {
  const isContent = (column: 'video' | 'feed', wanted: string | undefined) =>
    wanted === undefined
      ? sql`true`
      : sql`${name(column)} in (select no from contents where name = ${wanted})`
  const isCountry = country === undefined ? sql`true` : sql`country = ${country}`
  const byViewer = sql`select ${interval === undefined ? sql`0` : bucket(interval)} as bucket, content_id, viewer,
      count(*) filter (view_type = 'start') as starts, count(*) filter (view_type = 'end') as ends,
      sum(watched) as watched
    from events
    where ${await within(connection, scope, range)} and kind = 'content_view'
      and ${isContent('video', video)} and ${isContent('feed', feed)} and ${isCountry}
    group by all`
  const found = await rows<OverviewRow>(
    connection,
    sql`select bucket, count(distinct viewer) as viewers, sum(ends)::bigint as ends,
        sum(case when starts > 0 then starts when viewer is not null then 1 else 0 end)::bigint as views,
        coalesce(sum(watched), 0)::hugeint as watched
      from (${byViewer}) group by bucket order by bucket`,
  )
  return found.map((row) => ({
    bucket: row.bucket,
    views: Number(row.views),
    viewers: Number(row.viewers),
    ends: Number(row.ends),
    watched: row.watched,
  }))
}
