import type { DuckDBConnection } from '@duckdb/node-api'
import { KIND_NAMES, TEXT_FIELDS } from '../../fields.ts'
import { name, rows, sql } from './sql.ts'

const quoted = (column: string) => name(column).text

/** Columns of events that are taken over as they are in a line of the spool. */
export const OWN_COLUMNS: Record<string, string> = {
  time: 'bigint',
  watched: 'bigint',
  duration: 'bigint',
  segment_starts: 'bigint[]',
  segment_ends: 'bigint[]',
  segments: 'varchar',
}

/**
 * Each a list of statements; only ever added to. Viewers, contents and projects are numbers in `events`: reports
 * over millions of rows compare and count those several times faster than text. `view` is 1 for a start, 2 for a
 * watch, 3 for an end, and 0 for what is none of them.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create type kind as enum (${KIND_NAMES.map((kind) => `'${kind}'`).join(', ')})`,
    'create table projects (no integer, organization varchar, project varchar)',
    'create table viewers (no integer, name varchar)',
    'create table contents (no integer, name varchar)',
    'create table spools (id varchar, segment bigint, position bigint)',
    'create table requests (organization varchar, request varchar, received bigint)',
    `create table events (
      project integer, viewer integer, kind kind, received bigint, arrival bigint,
      video integer, post integer, feed integer, view utinyint,
      ${Object.entries(OWN_COLUMNS).map(([column, type]) => `${quoted(column)} ${type}`)},
      ${TEXT_FIELDS.map((field) => `${quoted(field)} varchar`)})`,
  ],
]

export async function migrate(connection: DuckDBConnection): Promise<void> {
  await connection.run('create table if not exists versions (version integer)')
  const [at] = await rows<{ version: number }>(
    connection,
    sql`select coalesce(max(version), 0) as version from versions`,
  )
  for (const [i, statements] of MIGRATIONS.entries()) {
    if (i < at!.version) continue
    await connection.run('begin')
    for (const statement of statements) await connection.run(statement)
    await connection.run(`insert into versions values (${i + 1})`)
    await connection.run('commit')
  }
}
