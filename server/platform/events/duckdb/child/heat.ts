import type { DuckDBConnection, DuckDBListVector } from '@duckdb/node-api'
import { SECOND } from '../../calendar.ts'
import { type EventScope, type Heat, type HeatQuery, MAX_SECONDS, type TimeRange } from '../../port.ts'
import { within } from './scope.ts'
import { type Query, rows, sql } from './sql.ts'

/**
 * A sweep line: each segment adds one to the part that it begins in and takes one from the part after its last, so
 * that a segment costs the same whatever its length. Done here while the views come: in SQL it takes four scans.
 */
export async function heat(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { video, parts }: HeatQuery,
): Promise<Heat> {
  const views = sql`from events where ${await within(connection, scope, range)}
    and kind = 'content_view' and video in (select no from contents where name = ${video})`
  const duration = await durationOf(connection, views)
  const count = parts === 'seconds' ? Math.min(Math.ceil(duration / SECOND), MAX_SECONDS) : parts
  const [times, length] = parts === 'seconds' ? [1, SECOND] : [parts, Math.max(1, duration)]
  const sweep = new Sweep({ duration, times, length, count })
  for await (const batch of viewsIn(connection, views)) sweep.add(batch)
  return { viewers: sweep.viewers, duration, passes: sweep.passes() }
}

async function durationOf(connection: DuckDBConnection, views: Query): Promise<number> {
  const [stated] = await rows<{ duration: bigint }>(
    connection,
    sql`select duration ${views} and duration > 0
      group by duration order by count(*) desc, duration desc limit 1`,
  )
  if (stated) return Number(stated.duration)
  const [watched] = await rows<{ last: bigint | null }>(
    connection,
    sql`select max(list_max(segment_ends)) as last ${views}`,
  )
  return Math.max(0, Number(watched!.last ?? 0))
}

/** Views by columns: who, and how many segments from where on in the arrays of all. */
interface Views {
  viewers: Int32Array
  counts: Int32Array
  starts: Places
  ends: Places
}

interface Places {
  offsetOf(row: number): number
  /** Whole numbers of 64 bits, in halves, the lower one first. */
  halves: Uint32Array
}

async function* viewsIn(connection: DuckDBConnection, views: Query): AsyncGenerator<Views> {
  const { text, values } = sql`select viewer, coalesce(len(segment_starts), 0)::integer as count,
    segment_starts, segment_ends ${views} and viewer is not null`
  const result = await connection.stream(text, values)
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const [viewers, counts] = [0, 1].map((column) => itemsOf<Int32Array>(chunk!.getColumnVector(column)))
    const [starts, ends] = [2, 3].map((column) =>
      placesOf(chunk!.getColumnVector(column) as DuckDBListVector),
    )
    yield { viewers: viewers!, counts: counts!, starts: starts!, ends: ends! }
  }
}

/** The array behind a vector is not in its declared interface; asking for each number costs several times more. */
const itemsOf = <Items>(vector: unknown) => (vector as { items: Items }).items

function placesOf(lists: DuckDBListVector): Places {
  const { buffer, byteOffset, byteLength } = itemsOf<BigInt64Array>(lists.childVector)
  return {
    offsetOf: (row) => lists.getEntryOffset(row),
    halves: new Uint32Array(buffer, byteOffset, byteLength / 4),
  }
}

interface Cut {
  duration: number
  /** A time is in part `time * times / length`: of whole numbers below 2^53, which division keeps apart. */
  times: number
  length: number
  count: number
}

class Sweep {
  viewers = 0
  #seen = new Uint8Array(2 ** 16)
  #changes: Float64Array
  #cut: Cut

  constructor(cut: Cut) {
    this.#cut = cut
    this.#changes = new Float64Array(cut.count + 1)
  }

  add({ viewers, counts, starts, ends }: Views): void {
    for (let row = 0; row < viewers.length; row++) {
      this.#see(viewers[row]!)
      if (counts[row] === 0) continue
      const [from, to] = [starts.offsetOf(row), ends.offsetOf(row)]
      for (let i = 0; i < counts[row]!; i++) this.#pass(placeAt(starts, from + i), placeAt(ends, to + i))
    }
  }

  #pass(start: number, end: number): void {
    const { duration, times, length, count } = this.#cut
    if (end <= start || start >= duration) return
    const first = Math.floor((start * times) / length)
    if (first >= count) return
    const last = Math.floor((Math.min(end, duration) * times - 1) / length)
    this.#changes[first]!++
    this.#changes[Math.min(last + 1, count)]!--
  }

  passes(): number[] {
    let now = 0
    return Array.from(this.#changes.subarray(0, this.#cut.count), (change) => (now += change))
  }

  #see(viewer: number): void {
    if (viewer >= this.#seen.length) {
      const larger = new Uint8Array(2 ** Math.ceil(Math.log2(viewer + 1)))
      larger.set(this.#seen)
      this.#seen = larger
    }
    if (this.#seen[viewer] === 0) this.viewers++
    this.#seen[viewer] = 1
  }
}

const placeAt = ({ halves }: Places, i: number) => halves[2 * i + 1]! * 2 ** 32 + halves[2 * i]!
