import type { Position } from '../port.ts'
import type { Client } from './client.ts'
import { catchUp, copyToAll } from './copies.ts'
import type { Tables } from './schema.ts'
import { literal } from './sql.ts'

/** Lines of a segment that are loaded together: written down before, and again when they are there. */
export interface Batch {
  spool: string
  segment: number
  begins: number
  ends: number
}

export interface BatchProgress {
  /** The end of the last batch that is done. */
  position: Position | undefined
  /** Was begun and may be there in part. Nothing else of the spool is loaded before it is done. */
  unfinished: Batch | undefined
}

/** Names a batch in rows and queries. */
export const nameOf = ({ spool, segment, begins }: Batch) => `${spool}/${segment}/${begins}`

/** The log of batches is kept by the first shard's server. */
const FIRST = 0

export async function readProgress(client: Client, tables: Tables, spool: string): Promise<BatchProgress> {
  await catchUp(client, FIRST, tables.batches)
  const rows = await client.query(
    FIRST,
    `SELECT done, argMax(segment, version) AS seg, argMax(begins, version) AS first, argMax(ends, version) AS last
      FROM ${tables.batches} WHERE spool = ${literal(spool)} GROUP BY done`,
  )
  const batchOf = (done: number): Batch | undefined => {
    const row = rows.find((each) => Number(each.done) === done)
    return row && { spool, segment: Number(row.seg), begins: Number(row.first), ends: Number(row.last) }
  }
  const [begun, done] = [batchOf(0), batchOf(1)]
  return {
    position: done && { segment: done.segment, offset: done.ends },
    unfinished: begun && (!done || versionOf(begun) > versionOf(done)) ? begun : undefined,
  }
}

export async function writeDown(
  client: Client,
  tables: Tables,
  batch: Batch,
  state: 'begun' | 'done',
): Promise<void> {
  const { spool, segment, begins, ends } = batch
  const values = [
    literal(spool).slice(1, -1),
    state === 'done' ? 1 : 0,
    segment,
    begins,
    ends,
    versionOf(batch),
  ]
  await client.insert(
    FIRST,
    `${tables.batches} (spool, done, segment, begins, ends, version)`,
    `${values.join('\t')}\n`,
  )
  // A replica without it would take the batch for another one, and is not asked before it has it.
  await copyToAll(client, FIRST, [tables.batches])
}

/** Grows along a spool. */
function versionOf({ segment, ends }: Batch): bigint {
  return BigInt(segment) * 2n ** 40n + BigInt(ends)
}
