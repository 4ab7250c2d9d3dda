import type { EventLine } from '../line.ts'
import type { Client } from './client.ts'
import { type ClickHouseError, isOfRows } from './errors.ts'
import { rowsOf } from './rows.ts'
import { type Tables, withColumns } from './schema.ts'

/** Of a shard that has refused a batch: which it is, and what it was given. */
export interface RefusedRows {
  shard: number
  lines: readonly EventLine[]
  batch: string
}

/** Which lines a shard refuses, and why. None where it takes each of them, or would refuse any line. */
export async function findRefused(
  client: Client,
  tables: Tables,
  { shard, lines, batch }: RefusedRows,
): Promise<Map<EventLine, string>> {
  /** Why it refuses the rows of these lines. */
  async function refusal(of: readonly EventLine[]): Promise<string | undefined> {
    const rows = rowsOf(of, batch, client.shards)[shard]!
    if (rows.length === 0) return undefined
    try {
      await client.insert(shard, withColumns(tables.trial), rows)
      return undefined
    } catch (error) {
      if (!isOfRows(error)) throw error
      return reasonOf(error)
    }
  }

  async function search(among: readonly EventLine[]): Promise<[EventLine, string][]> {
    const reason = await refusal(among)
    if (reason === undefined) return []
    if (among.length === 1) return [[among[0]!, reason]]
    const middle = among.length >> 1
    return [...(await search(among.slice(0, middle))), ...(await search(among.slice(middle)))]
  }

  // Takes rows as the table of events does, whatever has been changed in that, and keeps nothing.
  await client.run(shard, `DROP TABLE IF EXISTS ${tables.trial}`)
  await client.run(shard, `CREATE TABLE ${tables.trial} AS ${tables.events} ENGINE = Null`)
  try {
    return new Map((await refusal([plainLine(shard)])) === undefined ? await search(lines) : [])
  } finally {
    // One that stays behind goes before the next search.
    await client.run(shard, `DROP TABLE IF EXISTS ${tables.trial}`).catch(() => {})
  }
}

/** Nothing is wrong with it, and its row is of that shard: where it is refused, no line is at fault. */
function plainLine(shard: number): EventLine {
  const events = [{ kind: 'error' as const, time: 0, fields: {} }]
  return { organization: '', project: '', received: 0, arrival: shard, envelope: {}, events }
}

/** What it says first, without the row that follows. */
function reasonOf({ message }: ClickHouseError): string {
  const said = /DB::Exception: ([^\n]{1,200})/.exec(message)?.[1] ?? message
  return `ClickHouse refuses it: ${said}`
}
