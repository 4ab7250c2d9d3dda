import type { DuckDBConnection } from '@duckdb/node-api'
import type { Kind } from '../../fields.ts'
import type { EventValues, ValuesQuery } from '../../overview-port.ts'
import type { EventScope, TimeRange } from '../../port.ts'
import { within } from './scope.ts'
import { name, rows, type SqlQuery, sql } from './sql.ts'

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export async function values(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { field, kind, prefix, limit }: ValuesQuery,
): Promise<EventValues> {
  const here = await within(connection, scope, range)
  const kinds = await rows<{ kind: Kind; count: bigint }>(
    connection,
    sql`select kind::varchar as kind, count(*) as count from events where ${here}
      group by kind order by count desc, kind::varchar`,
  )
  const counted = kinds.map(({ kind, count }) => ({ kind, count: Number(count) }))
  if (field === undefined) return { kinds: counted, values: [] }
  const isKind = kind === undefined ? sql`true` : sql`kind = ${kind}::kind`
  const found = await rows<{ value: string; count: bigint }>(
    connection,
    sql`select value, count from (${valuesOf(field, sql`${here} and ${isKind}`)})
      where ${beginsWith(prefix)} order by count desc, value limit ${limit}`,
  )
  return { kinds: counted, values: found.map(({ value, count }) => ({ value, count: Number(count) })) }
}

function valuesOf(field: string, here: SqlQuery): SqlQuery {
  if (field !== 'project_id')
    return sql`select ${name(field)} as value, count(*) as count from events
      where ${here} and ${name(field)} is not null group by value`
  // A project is a number in events.
  return sql`select p.project as value, e.count from
    (select project, count(*) as count from events where ${here} group by project) e
    join projects p on p.no = e.project`
}

/** Of letters only A to Z are alike in both cases: what else is, is for each engine something else. */
function beginsWith(prefix: string | undefined): SqlQuery {
  if (prefix === undefined) return sql`true`
  const lowered = (text: SqlQuery) => sql`translate(${text}, ${CAPITALS}, ${CAPITALS.toLowerCase()})`
  return sql`starts_with(${lowered(sql`value`)}, ${lowered(sql`${prefix}`)})`
}
