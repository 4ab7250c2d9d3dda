import type { DuckDBConnection, DuckDBListVector } from '@duckdb/node-api'
import { join, name, rows, type SqlQuery, sql } from './sql.ts'

// So many rows at once come to some 500 MB at worst, here and in DuckDB together.
const ROWS_AT_ONCE = 16_000_000

export interface Gathering<Column extends string> {
  /** What to read, as a query whose rows have the columns below and an integer, never null, to divide them by. */
  from: SqlQuery
  key: string
  /** Neighbouring keys that are read together: two to this power. */
  shift: number
  /** Those of `double` come as such, others as integers; none may be null. */
  columns: Record<Column, 'integer' | 'double'>
  /** A column that is added up for each group instead. */
  sum?: string
}

export interface Gathered<Column extends string> {
  /** What its keys have in common: all of them but the last bits. */
  group: number
  columns: Record<Column, Int32Array | Float64Array>
  sum: bigint
}

/**
 * Rows as arrays of numbers, in groups: all rows of a key are in one. Where DuckDB hands over rows by the
 * thousand, each taking its time, it hands over a list at once; some millions of rows take a second.
 */
export async function* gather<Column extends string>(
  connection: DuckDBConnection,
  { from, key, shift, columns, sum }: Gathering<Column>,
): AsyncGenerator<Gathered<Column>> {
  const names = Object.keys(columns) as Column[]
  const lists = join(
    names.map(
      (column) => sql`list(${name(column)}::${{ text: columns[column], values: [] }}) as ${name(column)}`,
    ),
    ', ',
  )
  for (const part of await parts(connection, from, key)) {
    const { text, values } = sql`
      select (${name(key)} >> ${shift})::integer as part,
        ${sum ? sql`sum(${name(sum)})::hugeint` : sql`0::hugeint`}, ${lists}
      from (${from}) where ${part} group by part`
    const result = await connection.run(text, values)
    for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
      const [groups, sums] = [chunk.getColumnVector(0), chunk.getColumnVector(1)]
      const vectors = names.map((_, i) => chunk!.getColumnVector(i + 2) as DuckDBListVector)
      // The array behind a vector is not in its declared interface; asking for each number costs several times more.
      const arrays = vectors.map(
        ({ childVector }) => (childVector as unknown as { items: Int32Array | Float64Array }).items,
      )
      for (let row = 0; row < chunk.rowCount; row++) {
        const pairs = names.map((column, i) => {
          const start = vectors[i]!.getEntryOffset(row)
          return [column, arrays[i]!.subarray(start, start + vectors[i]!.getEntryLength(row))]
        })
        yield {
          group: groups.getItem(row) as number,
          columns: Object.fromEntries(pairs),
          sum: (sums.getItem(row) as bigint | null) ?? 0n,
        }
      }
    }
  }
}

/** One condition for each turn, so that memory stays bounded however much there is. */
async function parts(connection: DuckDBConnection, from: SqlQuery, key: string): Promise<SqlQuery[]> {
  const [all] = await rows<{ count: bigint }>(connection, sql`select count(*) as count from events`)
  if (Number(all!.count) <= ROWS_AT_ONCE) return [sql`true`]
  const [seen] = await rows<{ count: bigint; last: number | null }>(
    connection,
    sql`select count(*) as count, max(${name(key)}) as last from (${from})`,
  )
  const turns = Math.ceil(Number(seen!.count) / ROWS_AT_ONCE)
  const step = Math.ceil(((seen!.last ?? 0) + 1) / Math.max(turns, 1))
  return Array.from(
    { length: turns },
    (_, i) => sql`${name(key)} >= ${i * step} and ${name(key)} < ${(i + 1) * step}`,
  )
}
