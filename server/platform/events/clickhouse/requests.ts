import { type EventLine, ONCE_WITHIN } from '../line.ts'
import type { Client, ResultRow } from './client.ts'
import { catchUp } from './copies.ts'
import type { Tables } from './schema.ts'
import { escaped, literal } from './sql.ts'

const FIRST = 0
const AT_ONCE = 1000

/**
 * Leaves out lines whose request has counted within a day, and writes down those that count now, before any of
 * their events is there. So that another try of the same batch decides the same, it does not see its own.
 */
export async function countOnce(
  client: Client,
  tables: Tables,
  lines: readonly EventLine[],
  batch: string,
  queryId: string,
): Promise<EventLine[]> {
  const asked = lines.filter(({ request }) => request !== undefined)
  if (asked.length === 0) return [...lines]
  await catchUp(client, FIRST, tables.requests)
  const counted = new Map<string, number[]>()
  const timesOf = (organization: string, request: string) => {
    const key = JSON.stringify([organization, request])
    if (!counted.has(key)) counted.set(key, [])
    return counted.get(key)!
  }
  for (let i = 0; i < asked.length; i += AT_ONCE)
    for (const row of await earlier(client, tables, asked.slice(i, i + AT_ONCE), batch))
      timesOf(row.organization!, row.request!).push(Number(row.received))

  const kept = lines.filter((line) => {
    if (line.request === undefined) return true
    const times = timesOf(line.organization, line.request)
    if (times.some((time) => Math.abs(time - line.received) < ONCE_WITHIN)) return false
    times.push(line.received)
    return true
  })
  const rows = kept
    .filter(({ request }) => request !== undefined)
    .map(
      (line) =>
        `${escaped(line.organization)}\t${escaped(line.request!)}\t${line.received}\t${escaped(batch)}\n`,
    )
  if (rows.length > 0)
    await client.insert(
      FIRST,
      `${tables.requests} (organization, request, received, batch)`,
      rows.join(''),
      queryId,
    )
  return kept
}

function earlier(client: Client, tables: Tables, lines: EventLine[], batch: string): Promise<ResultRow[]> {
  const pairs = new Set(lines.map((line) => `(${literal(line.organization)}, ${literal(line.request!)})`))
  return client.query(
    FIRST,
    `SELECT organization, request, received FROM ${tables.requests}
      WHERE (organization, request) IN (${[...pairs].join(', ')}) AND batch != ${literal(batch)}`,
  )
}
