import type { DuckDBConnection } from '@duckdb/node-api'
import type { EventScope, TimeRange } from '../../port.ts'
import { rows, type SqlQuery, sql } from './sql.ts'

/** The condition that picks what a report may see. */
export async function within(
  connection: DuckDBConnection,
  { organization, project }: EventScope,
  { from, to }: TimeRange,
): Promise<SqlQuery> {
  const known = await rows<{ no: number }>(
    connection,
    project === undefined
      ? sql`select no from projects where organization = ${organization}`
      : sql`select no from projects where organization = ${organization} and project = ${project}`,
  )
  const numbers = { text: known.map(({ no }) => no).join(', ') || '-1', values: [] }
  return sql`project in (${numbers}) and time >= ${from} and time < ${to}`
}
