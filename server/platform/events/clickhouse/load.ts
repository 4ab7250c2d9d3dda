import { setTimeout as sleep } from 'node:timers/promises'
import { EventsUnavailable } from '../errors.ts'
import type { EventLine } from '../line.ts'
import type { Chunk, Loaded, Position, SetAside } from '../port.ts'
import { type Piece, readPiece } from '../spool/read-piece.ts'
import { setAside } from '../spool/set-aside.ts'
import { type Batch, nameOf, readProgress, writeDown } from './batches.ts'
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
export async function loadBatch(client: Client, tables: Tables, chunk: Chunk): Promise<Loaded> {
  const { position, unfinished } = await readProgress(client, tables, chunk.spool)
  if (unfinished) {
    if (unfinished.segment !== chunk.segment)
      throw new Error(
        `segment ${unfinished.segment} of spool ${chunk.spool} is loaded in part, and comes first`,
      )
    const piece = await readPiece({ ...chunk, from: unfinished.begins, to: unfinished.ends })
    const aside = await setAside(chunk, piece.rejected)
    return finish(client, tables, unfinished, { piece, aside, triedBefore: true })
  }
  if (position && isBehind(chunk, position)) return { ...position, aside: [] }
  const begins = position?.segment === chunk.segment ? Math.max(position.offset, chunk.from) : chunk.from
  // What is to be rejected is done with; what follows it is not meant.
  if (position && chunk.reject !== undefined && begins > chunk.from) return { ...position, aside: [] }
  const piece = await readPiece({ ...chunk, from: begins }, LIMITS)
  const aside = await setAside(chunk, piece.rejected)
  const batch = { spool: chunk.spool, segment: chunk.segment, begins, ends: piece.end }
  await writeDown(client, tables, batch, 'begun')
  return finish(client, tables, batch, { piece, aside, triedBefore: false })
}

/** A batch is about this long: enough for few parts on disk, and bounded in memory. */
const LIMITS = { bytes: 8 * 2 ** 20, events: 50_000 }

interface Read {
  piece: Piece
  aside: SetAside[]
  triedBefore: boolean
}

const isBehind = (chunk: Chunk, { segment, offset }: Position) =>
  chunk.segment < segment || (chunk.segment === segment && chunk.to <= offset)

async function finish(
  client: Client,
  tables: Tables,
  batch: Batch,
  { piece, aside, triedBefore }: Read,
): Promise<Loaded> {
  const lines: EventLine[] = piece.lines.map(({ bytes }) => JSON.parse(bytes.toString()))
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
  return { segment: batch.segment, offset: batch.ends, aside }
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
