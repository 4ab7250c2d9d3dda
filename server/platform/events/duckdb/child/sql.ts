import type { DuckDBConnection } from '@duckdb/node-api'

/** SQL with its values beside it: text is bound and never part of it. */
export interface SqlQuery {
  text: string
  values: string[]
}

export type SqlPart = SqlQuery | string | number | bigint

/** Text becomes a bound value, a whole number is written out, a query is put in place. */
export function sql(strings: TemplateStringsArray, ...parts: SqlPart[]): SqlQuery {
  const query: SqlQuery = { text: strings[0]!, values: [] }
  for (const [i, part] of parts.entries()) {
    const { text, values } = asQuery(part)
    query.text += text + strings[i + 1]
    query.values.push(...values)
  }
  return query
}

function asQuery(part: SqlPart): SqlQuery {
  if (typeof part === 'string') return { text: '?', values: [part] }
  if (typeof part === 'object') return part
  // Times of the year 1 or 9999 are beyond what is safe to count with, and whole numbers all the same.
  if (typeof part === 'number' && !(Number.isInteger(part) && Math.abs(part) < 2 ** 63))
    throw new Error(`${part} is not a whole number`)
  return { text: String(part), values: [] }
}

export function join(queries: readonly SqlQuery[], between: string): SqlQuery {
  return {
    text: queries.map(({ text }) => text).join(between),
    values: queries.flatMap(({ values }) => values),
  }
}

/** The name of a column. */
export function name(column: string): SqlQuery {
  return { text: `"${column.replaceAll('"', '""')}"`, values: [] }
}

/** A text where values cannot be bound, as the name of a file. */
export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Rows by column name. Whole numbers come as bigint. */
export async function rows<Row extends Record<string, unknown>>(
  connection: DuckDBConnection,
  { text, values }: SqlQuery,
): Promise<Row[]> {
  const reader = await connection.runAndReadAll(text, values)
  return reader.getRowObjectsJS() as unknown as Row[]
}
