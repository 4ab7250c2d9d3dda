import { setTimeout as sleep } from 'node:timers/promises'
import { EventsUnavailable } from '../errors.ts'
import type { EventLine } from '../line.ts'
import type { Chunk, Loaded, Position, SetAside } from '../port.ts'
import { parseLine } from '../spool/check-line.ts'
import { type PieceLimits, type PieceLine, readPiece } from '../spool/read-piece.ts'
import { alreadyAside, setAside } from '../spool/set-aside.ts'
import { type Batch, nameOf, readProgress, writeDown } from './batches.ts'
import type { Client } from './client.ts'
import { catchUp, copyToAll } from './copies.ts'
import { isOfRows } from './errors.ts'
import { findRefused } from './refused.ts'
import { countOnce } from './requests.ts'
import { rowsOf } from './rows.ts'
import { type Tables, withColumns } from './schema.ts'
import { literal } from './sql.ts'

const FIRST = 0
const PATIENCE_MS = 20_000

/**
 * Loads a batch, each line once. A batch is written down before its first row; where a try was cut off, the next
 * one finishes exactly that batch: on each shard its rows are there as one block, or not at all. A line that
 * an earlier try of it has put aside stays aside. One at a time: whoever calls this holds the lock of all loaders.
 */
export async function loadBatch(client: Client, tables: Tables, chunk: Chunk): Promise<Loaded> {
  const { position, unfinished } = await readProgress(client, tables, chunk.spool)
  if (unfinished) {
    if (unfinished.segment !== chunk.segment)
      throw new Error(
        `segment ${unfinished.segment} of spool ${chunk.spool} is loaded in part, and comes first`,
      )
    const isAside = await alreadyAside(chunk)
    const read = await readBatch({ ...chunk, from: unfinished.begins, to: unfinished.ends }, { isAside })
    return finish(client, tables, unfinished, { ...read, chunk, triedBefore: true })
  }
  if (position && isBehind(chunk, position)) return { ...position, aside: [] }
  const begins = position?.segment === chunk.segment ? Math.max(position.offset, chunk.from) : chunk.from
  // What is to be rejected is done with; what follows it is not meant.
  if (position && chunk.reject !== undefined && begins > chunk.from) return { ...position, aside: [] }
  const read = await readBatch({ ...chunk, from: begins }, { limits: LIMITS })
  const batch = { spool: chunk.spool, segment: chunk.segment, begins, ends: read.end }
  await writeDown(client, tables, batch, 'begun')
  return finish(client, tables, batch, { ...read, chunk, triedBefore: false })
}

/** A batch is about this long: enough for few parts on disk, and bounded in memory. */
const LIMITS = { bytes: 8 * 2 ** 20, events: 50_000 }

interface ReadBatch {
  /** What is to be loaded, and where it was read. */
  lines: ReadonlyMap<EventLine, PieceLine>
  end: number
  aside: SetAside[]
}

interface ReadOptions {
  limits?: PieceLimits
  /** Of lines that an earlier try has put aside. */
  isAside?(line: PieceLine): boolean
}

/** Reads lines, and puts aside those of which no rows can be made. */
async function readBatch(chunk: Chunk, { limits, isAside }: ReadOptions): Promise<ReadBatch> {
  const { lines: whole, rejected, end } = await readPiece(chunk, limits)
  const lines = new Map<EventLine, PieceLine>()
  for (const source of whole) {
    const line = isAside?.(source) ? { reason: 'ClickHouse has refused it before' } : parseLine(source.bytes)
    if ('reason' in line) rejected.push({ ...source, ...line })
    else lines.set(line, source)
  }
  return { lines, end, aside: await setAside(chunk, rejected) }
}

const isBehind = (chunk: Chunk, { segment, offset }: Position) =>
  chunk.segment < segment || (chunk.segment === segment && chunk.to <= offset)

interface ClickHouseLoading extends ReadBatch {
  chunk: Chunk
  triedBefore: boolean
}

async function finish(
  client: Client,
  tables: Tables,
  batch: Batch,
  loading: ClickHouseLoading,
): Promise<Loaded> {
  const { chunk, lines, triedBefore } = loading
  const name = nameOf(batch)
  const prefix = `marquee ${tables.requests} `
  const all = [...lines.keys()]
  if (all.some(({ request }) => request !== undefined)) await untilNoneRuns(client, FIRST, prefix)
  const counted = await countOnce(client, tables, all, name, prefix + name)

  const aside = [...loading.aside]
  const refusals = await insert(client, tables, { lines: counted, name, triedBefore })
  if (refusals.length > 0) {
    const refused = new Map<EventLine, string>()
    for (const { shard, error } of refusals) {
      const found = await findRefused(client, tables, { shard, lines: counted, batch: name })
      if (found.size === 0) throw error
      for (const [line, reason] of found) refused.set(line, reason)
    }
    const rejected = [...refused].map(([line, reason]) => ({ ...lines.get(line)!, reason }))
    aside.push(...(await setAside(chunk, rejected)))
    // A shard that has taken the batch keeps what it has, also of lines that another refuses.
    const rest = counted.filter((line) => !refused.has(line))
    for (const { error } of await insert(client, tables, { lines: rest, name, triedBefore: true }))
      throw error
  }
  await copyToAll(client, FIRST, [tables.requests])
  for (let shard = 0; shard < client.shards; shard++) await copyToAll(client, shard, [tables.events])
  await writeDown(client, tables, batch, 'done')
  return { segment: batch.segment, offset: batch.ends, aside }
}

interface Insert {
  lines: readonly EventLine[]
  /** Of the batch. */
  name: string
  triedBefore: boolean
}

/** Puts the rows of a batch into each shard that does not have them, and answers which shards refuse theirs. */
async function insert(client: Client, tables: Tables, { lines, name, triedBefore }: Insert) {
  const outcomes = await Promise.allSettled(
    rowsOf(lines, name, client.shards).map(async (rows, shard) => {
      const queryId = `marquee ${tables.events} ${name}`
      if (rows.length === 0) return
      if (triedBefore) {
        await untilNoneRuns(client, shard, queryId)
        if (await isThere(client, shard, tables, name)) return
      }
      await client.insert(shard, withColumns(tables.events), rows, queryId)
    }),
  )
  // Only now, when none is under way any more: the lock must not be given back before.
  const failed = outcomes.flatMap((outcome, shard) =>
    outcome.status === 'rejected' ? { shard, error: outcome.reason as unknown } : [],
  )
  for (const { error } of failed) if (!isOfRows(error)) throw error
  return failed
}

async function isThere(client: Client, shard: number, tables: Tables, batch: string): Promise<boolean> {
  await catchUp(client, shard, tables.events)
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
