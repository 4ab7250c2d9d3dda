import { setTimeout as sleep } from 'node:timers/promises'
import { EventsUnavailable } from '../errors.ts'
import type { EventLine } from '../line.ts'
import type { Chunk, Position } from '../port.ts'
import { type Batch, nameOf, readProgress, writeDown } from './batches.ts'
import { readLines } from './chunk.ts'
import type { Client } from './client.ts'
import { countOnce } from './requests.ts'
import { rowsOf } from './rows.ts'
import { COLUMNS, type Tables } from './schema.ts'
import { identifier, literal } from './sql.ts'

const FIRST = 0
const PATIENCE_MS = 20_000

/**
 * Loads a batch, each line once. A batch is written down before its first row; where a try was cut off, the next
 * one finishes exactly that batch: on each shard its rows are there as one block, or not at all. One at a time:
 * whoever calls this holds the lock of all loaders.
 */
export async function loadBatch(client: Client, tables: Tables, chunk: Chunk): Promise<Position> {
  const { position, unfinished } = await readProgress(client, tables, chunk.spool)
  if (unfinished) {
    if (unfinished.segment !== chunk.segment)
      throw new Error(
        `segment ${unfinished.segment} of spool ${chunk.spool} is loaded in part, and comes first`,
      )
    const { lines } = await readLines(chunk.path, unfinished.begins, unfinished.ends, true)
    return finish(client, tables, unfinished, lines, true)
  }
  if (position && isBehind(chunk, position)) return position
  const begins = position?.segment === chunk.segment ? Math.max(position.offset, chunk.from) : chunk.from
  const { lines, end } = await readLines(chunk.path, begins, chunk.to)
  const batch = { spool: chunk.spool, segment: chunk.segment, begins, ends: end }
  await writeDown(client, tables, batch, 'begun')
  return finish(client, tables, batch, lines, false)
}

const isBehind = (chunk: Chunk, { segment, offset }: Position) =>
  chunk.segment < segment || (chunk.segment === segment && chunk.to <= offset)

async function finish(
  client: Client,
  tables: Tables,
  batch: Batch,
  lines: EventLine[],
  triedBefore: boolean,
): Promise<Position> {
  const name = nameOf(batch)
  const prefix = `marquee ${tables.requests} `
  if (lines.some(({ request }) => request !== undefined)) await untilNoneRuns(client, FIRST, prefix)
  const counted = await countOnce(client, tables, lines, name, prefix + name)
  const into = `${tables.events} (${COLUMNS.map(identifier).join(', ')})`

  const outcomes = await Promise.allSettled(
    rowsOf(counted, name, client.shards).map(async (rows, shard) => {
      const queryId = `marquee ${tables.events} ${name}`
      if (rows.length === 0) return
      if (triedBefore) {
        await untilNoneRuns(client, shard, queryId)
        if (await isThere(client, shard, tables, name)) return
      }
      await client.insert(shard, into, rows, queryId)
    }),
  )
  // Only now, when none is under way any more: the lock must not be given back before.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  await writeDown(client, tables, batch, 'done')
  return { segment: batch.segment, offset: batch.ends }
}

async function isThere(client: Client, shard: number, tables: Tables, batch: string): Promise<boolean> {
  const rows = await client.query(
    shard,
    `SELECT 1 FROM ${tables.events} WHERE batch = ${literal(batch)} LIMIT 1`,
  )
  return rows.length > 0
}

/** What a process that is gone has sent may still be at work, and its rows come after we have looked. */
async function untilNoneRuns(client: Client, shard: number, prefix: string): Promise<void> {
  const ours = `position(query_id, ${literal(prefix)}) = 1`
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    const running = await client.query(shard, `SELECT query_id FROM system.processes WHERE ${ours} LIMIT 1`)
    if (running.length === 0) return
    await client.run(shard, `KILL QUERY WHERE ${ours} ASYNC`)
    await sleep(100)
  }
  throw new EventsUnavailable('ClickHouse is still busy with an earlier try to load')
}
