import { DuckDBInstance } from '@duckdb/node-api'
import { TEXT_FIELDS } from '../fields.ts'
import { OWN_COLUMNS } from './child/schema.ts'
import { literal } from './child/sql.ts'

/** As an engine writes events out; see EventRow. */
const COLUMNS: Record<string, string> = {
  organization: 'varchar',
  project: 'varchar',
  received: 'bigint',
  arrival: 'bigint',
  kind: 'varchar',
  viewer: 'varchar',
  video: 'varchar',
  ...OWN_COLUMNS,
  ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, 'varchar'])),
}

/** Makes a Parquet file of events that an engine has written out as lines of JSON. Answers how many there are. */
export async function eventsToParquet(lines: string, file: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '512MiB', threads: '1' })
  const connection = await instance.connect()
  try {
    const types = Object.entries(COLUMNS).map(([column, type]) => `${literal(column)}: ${literal(type)}`)
    const lined = `format = 'newline_delimited', columns = {${types.join(', ')}}`
    // Microseconds since 1970 become times.
    await connection.run(
      `copy (
        select * replace (make_timestamp("time") as "time") from read_json(${literal(lines)}, ${lined})
      ) to ${literal(file)} (format parquet, compression zstd)`,
    )
    const counted = await connection.runAndReadAll(
      `select count(*) as events from read_parquet(${literal(file)})`,
    )
    return Number(counted.getRows()[0]![0])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
