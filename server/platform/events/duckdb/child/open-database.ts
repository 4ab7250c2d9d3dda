import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { migrate } from './schema.ts'
import { name, rows, sql } from './sql.ts'

export interface DatabaseOptions {
  file: string
  /** What DuckDB may use; what it needs beyond that goes to the disk beside the file. */
  memoryBytes: number
  threads: number
}

export interface Opened {
  instance: DuckDBInstance
  /** Where the file was put that could not be read, and why. */
  setAside?: { file: string; reason: string }
}

/** Nothing is wrong with the file, but with what is around it. */
const NOT_DAMAGE =
  /lock on file|permission denied|no space left|out of memory|too many open|read-only|version number/i
/** The process of a service that was killed holds it for a moment longer. */
const LOCKED = /lock on file/i
const LOCK_TRIES = 100
const LOCK_WAIT_MS = 100

/** Opens the database, or, where it cannot be read as a whole, a new one in its place. */
export async function openDatabase(options: DatabaseOptions, tries = LOCK_TRIES): Promise<Opened> {
  try {
    return { instance: await openWhole(options) }
  } catch (error) {
    const [reason] = (error as Error).message.split('\n') as [string]
    if (LOCKED.test(reason) && tries > 0) {
      await sleep(LOCK_WAIT_MS)
      return openDatabase(options, tries - 1)
    }
    if (!existsSync(options.file) || NOT_DAMAGE.test(reason)) throw error
    const file = `${options.file}.damaged-${new Date().toISOString().replaceAll(':', '-')}`
    await rename(options.file, file)
    if (existsSync(`${options.file}.wal`)) await rename(`${options.file}.wal`, `${file}.wal`)
    return { instance: await openWhole(options), setAside: { file, reason } }
  }
}

async function openWhole({ file, memoryBytes, threads }: DatabaseOptions): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(file, {
    memory_limit: `${Math.floor(memoryBytes / 2 ** 20)}MiB`,
    threads: String(threads),
    // Nothing outside its folder is any business of a database of events.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  try {
    await check(instance)
  } catch (error) {
    instance.closeSync()
    throw error
  }
  return instance
}

/** Reads every block once: a damage is found now rather than in the middle of a report. */
async function check(instance: DuckDBInstance): Promise<void> {
  const connection = await instance.connect()
  try {
    await migrate(connection)
    const tables = await rows<{ table: string; columns: string[]; lists: string[] }>(
      connection,
      sql`select table_name as "table", list(column_name) filter (data_type not like '%[]') as columns,
          coalesce(list(column_name) filter (data_type like '%[]'), []) as lists
        from duckdb_columns() where not internal group by table_name`,
    )
    for (const { table, columns, lists } of tables) {
      await readThrough(connection, table, columns)
      for (const column of lists) await readThrough(connection, table, [column]).catch(passTooLong)
    }
  } finally {
    connection.closeSync()
  }
}

async function readThrough(connection: DuckDBConnection, table: string, columns: string[]): Promise<void> {
  const all = columns.map((column) => name(column).text)
  await connection.run(`select max(hash(${all})) from ${name(table).text}`)
}

/**
 * Lists come from events, and an earlier version took them at any length: some thousand such rows beside each other
 * are more than memory holds. Only reports of those events fail of it, so the rest must not.
 */
function passTooLong(error: Error): void {
  if (!/^out of memory/i.test(error.message)) throw error
}
