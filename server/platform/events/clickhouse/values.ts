import type { Kind } from '../fields.ts'
import type { EventValues, ValuesQuery } from '../overview-port.ts'
import type { EventScope, TimeRange } from '../port.ts'
import type { Client } from './client.ts'
import type { Tables } from './schema.ts'
import { identifier, isIn, literal } from './sql.ts'

const FIRST = 0

export async function askValues(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  { field, kind, prefix, limit }: ValuesQuery,
): Promise<EventValues> {
  const from = `FROM ${allEvents} WHERE ${isIn(scope, range)}`
  const column = field === 'project_id' ? 'project' : field && identifier(field)
  const isKind = kind === undefined ? '1' : `kind = ${literal(kind)}`
  const [kinds, values] = await Promise.all([
    client.query(FIRST, `SELECT kind, count() AS times ${from} GROUP BY kind ORDER BY times DESC, kind`),
    column === undefined
      ? []
      : client.query(
          FIRST,
          `SELECT assumeNotNull(${column}) AS value, count() AS times ${from} AND ${isKind}
            AND isNotNull(${column}) AND ${beginsWith(`ifNull(${column}, '')`, prefix)}
            GROUP BY value ORDER BY times DESC, value LIMIT ${Number(limit)}`,
        ),
  ])
  return {
    kinds: kinds.map(({ kind, times }) => ({ kind: kind as Kind, count: Number(times) })),
    values: values.map(({ value, times }) => ({ value: value!, count: Number(times) })),
  }
}

/** ClickHouse's `lower` is about A to Z only, which is what is asked for. */
function beginsWith(text: string, prefix: string | undefined): string {
  return prefix === undefined ? '1' : `startsWith(lower(${text}), lower(${literal(prefix)}))`
}
