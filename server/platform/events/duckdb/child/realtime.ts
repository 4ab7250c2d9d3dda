import type { DuckDBConnection } from '@duckdb/node-api'
import { SECOND } from '../../calendar.ts'
import type { Kind } from '../../fields.ts'
import type { EventScope, RealtimeCounts, RecentEvent, TimeRange } from '../../port.ts'
import { within } from './scope.ts'
import { rows, sql } from './sql.ts'

const LISTED = 10

export async function realtime(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
): Promise<RealtimeCounts> {
  const events = sql`select * from events where ${await within(connection, scope, range)}`
  const [all] = await rows<{ viewers: bigint; latest: bigint }>(
    connection,
    sql`select count(distinct viewer) as viewers,
      count(*) filter (time >= ${range.to - 60 * SECOND}) as latest from (${events})`,
  )
  const kinds = await rows<{ kind: Kind; count: bigint }>(
    connection,
    sql`select kind::varchar as kind, count(*) as count from (${events})
      group by kind order by count desc, kind::varchar`,
  )
  const countries = await rows<{ country: string; count: bigint }>(
    connection,
    sql`select country, count(*) as count from (${events}) where country <> ''
      group by country order by count desc, country limit ${LISTED}`,
  )
  const recent = await rows<Record<keyof RecentEvent, unknown>>(
    connection,
    sql`select time, kind::varchar as kind, viewers.name as viewer, country, page, content_id
      from (select * from (${events}) order by time desc, arrival desc limit ${LISTED}) e
      left join viewers on viewers.no = e.viewer order by time desc, arrival desc`,
  )
  return {
    viewers: Number(all!.viewers),
    lastMinute: Number(all!.latest),
    kinds: kinds.map(({ kind, count }) => ({ kind, count: Number(count) })),
    countries: countries.map(({ country, count }) => ({ country, count: Number(count) })),
    recent: recent.map((row) => ({ ...row, time: Number(row.time) }) as RecentEvent),
  }
}
