import type { DuckDBConnection } from '@duckdb/node-api'
import { TEXT_FIELDS } from '../../fields.ts'
import { type DumpedEvents, ROW_ORDER } from '../../rows.ts'
import { OWN_COLUMNS } from './schema.ts'
import { join, literal, name, rows, type SqlQuery, sql } from './sql.ts'

function whichOf({ organization, project, before }: DumpedEvents): SqlQuery {
  return join(
    [
      sql`true`,
      ...(organization === undefined ? [] : [sql`p.organization = ${organization}`]),
      ...(project === undefined ? [] : [sql`p.project = ${project}`]),
      ...(before === undefined ? [] : [sql`e.arrival < ${before}`]),
    ],
    ' and ',
  )
}

export async function count(connection: DuckDBConnection, events: DumpedEvents): Promise<number> {
  const [found] = await rows<{ count: bigint }>(
    connection,
    sql`select count(*) as count from events e join projects p on p.no = e.project where ${whichOf(events)}`,
  )
  return Number(found!.count)
}

/** Numbers become the names that they stand for. */
export async function dump(
  connection: DuckDBConnection,
  events: DumpedEvents,
  file: string,
): Promise<number> {
  const columns = [...Object.keys(OWN_COLUMNS), ...TEXT_FIELDS]
  const { text, values } = sql`
    select p.organization, p.project, e.received, e.arrival, e.kind, viewer.name as viewer, video.name as video,
      ${join(
        columns.map((column) => sql`e.${name(column)}`),
        ', ',
      )}
    from events e join projects p on p.no = e.project
    left join viewers viewer on viewer.no = e.viewer
    left join contents video on video.no = e.video
    where ${whichOf(events)}
    order by ${join(
      ROW_ORDER.map((column) => name(column)),
      ', ',
    )}`
  await connection.run(`copy (${text}) to ${literal(file)} (format json)`, values)
  return count(connection, events)
}
