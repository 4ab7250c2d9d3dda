import type { DuckDBConnection } from '@duckdb/node-api'
import type { ErasedEvents } from '../../port.ts'
import { rows, type SqlQuery, sql } from './sql.ts'

function whichOf({ organization, project, viewer, before }: ErasedEvents): SqlQuery {
  const ofViewer =
    viewer === undefined ? sql`` : sql` and viewer in (select no from viewers where name = ${viewer})`
  const until = before === undefined ? sql`` : sql` and arrival < ${before}`
  return sql`project in (
    select no from projects where organization = ${organization} and project = ${project})${ofViewer}${until}`
}

export async function newest(connection: DuckDBConnection, events: ErasedEvents): Promise<number> {
  const [found] = await rows<{ newest: bigint | null }>(
    connection,
    sql`select max(arrival) as newest from events where ${whichOf(events)}`,
  )
  return Number(found!.newest ?? 0)
}

/**
 * Deletes events. Viewers and contents are numbers in other events too, and are numbered by how many there
 * are: their rows stay, and those that no event is about any more lose their name to a random one.
 */
export async function erase(connection: DuckDBConnection, events: ErasedEvents): Promise<void> {
  const run = ({ text, values }: SqlQuery) => connection.run(text, values)
  const which = whichOf(events)
  await connection.run('begin')
  try {
    await run(
      sql`create or replace temp table erased as select viewer, video, post, feed from events where ${which}`,
    )
    await run(sql`delete from events where ${which}`)
    await run(FORGET_VIEWERS)
    await run(FORGET_CONTENTS)
    await run(sql`drop table erased`)
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  }
}

const FORGET_VIEWERS = sql`update viewers set name = uuid()::varchar
  where no in (select viewer from erased where viewer is not null)
    and no not in (select viewer from events where viewer is not null)`

const contentsIn = (table: SqlQuery) =>
  sql`select no from (select unnest([video, post, feed]) as no from ${table}) where no is not null`

const FORGET_CONTENTS = sql`update contents set name = uuid()::varchar
  where no in (${contentsIn(sql`erased`)}) and no not in (${contentsIn(sql`events`)})`
