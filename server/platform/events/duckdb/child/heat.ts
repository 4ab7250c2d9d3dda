import type { DuckDBConnection, DuckDBListVector } from '@duckdb/node-api'
import { freeBuffers } from '../../../../base/free-buffers.ts'
import { SECOND } from '../../calendar.ts'
import { type EventScope, type Heat, type HeatQuery, MAX_SECONDS, type TimeRange } from '../../port.ts'
import { within } from './scope.ts'
import { rows, type SqlQuery, sql } from './sql.ts'

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
  // By its number: a join with the names would copy the segments of every view once more.
  const [known] = await rows<{ no: number }>(connection, sql`select no from contents where name = ${video}`)
  const views = sql`from events where ${await within(connection, scope, range)}
    and kind = 'content_view' and video = ${known?.no ?? -1}`
  const duration = await durationOf(connection, views)
  const count = parts === 'seconds' ? Math.min(Math.ceil(duration / SECOND), MAX_SECONDS) : parts
  const [times, length] = parts === 'seconds' ? [1, SECOND] : [parts, Math.max(1, duration)]
  const sweep = new Sweep({ duration, times, length, count })
  for await (const batch of viewsIn(connection, views)) {
    sweep.add(batch)
    freeBuffers(arraysOf(batch))
  }
  return { viewers: sweep.viewers, duration, passes: sweep.passes() }
}

async function durationOf(connection: DuckDBConnection, views: SqlQuery): Promise<number> {
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

/** Whole numbers of 64 bits in two halves, the lower one first: read so, none of them becomes a BigInt. */
type Halves = Uint32Array

interface Places {
  /** For each row the number of its first place among all, and how many it has. */
  entries: Halves
  all: Halves
}

const arraysOf = ({ viewers, counts, starts, ends }: Views) => [
  viewers,
  counts,
  starts.entries,
  starts.all,
  ends.entries,
  ends.all,
]

async function* viewsIn(connection: DuckDBConnection, views: SqlQuery): AsyncGenerator<Views> {
  const { text, values } = sql`select viewer, coalesce(len(segment_starts), 0)::integer as count,
    segment_starts, segment_ends ${views} and viewer is not null`
  // Its threads read ahead of us; with the usual megabyte they mostly wait.
  await connection.run("set streaming_buffer_size = '64MiB'")
  const result = await connection.stream(text, values)
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const [viewers, counts] = [0, 1].map((column) => itemsOf<Int32Array>(chunk!.getColumnVector(column)))
    const [starts, ends] = [2, 3].map((column) =>
      placesOf(chunk!.getColumnVector(column) as DuckDBListVector),
    )
    yield { viewers: viewers!, counts: counts!, starts: starts!, ends: ends! }
  }
}

/** The arrays behind a vector are not in its declared interface; asking for each number costs several times more. */
const itemsOf = <Items>(vector: unknown) => (vector as { items: Items }).items
const entriesOf = (vector: unknown) => (vector as { entryData: BigUint64Array }).entryData

const placesOf = (lists: DuckDBListVector): Places => ({
  entries: halvesOf(entriesOf(lists)),
  all: halvesOf(itemsOf<BigInt64Array>(lists.childVector)),
})

const halvesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Halves =>
  new Uint32Array(buffer, byteOffset, byteLength / 4)

/** Whether the places of all rows follow one another without a gap: then nobody has to ask which row they are of. */
function isInOrder({ entries, all }: Places, counts: Int32Array): boolean {
  let next = 0
  for (let row = 0; row < counts.length; row++) {
    // The lower half of an offset is all of it: a chunk has two thousand rows.
    if (counts[row]! > 0 && entries[4 * row] !== next) return false
    next += counts[row]!
  }
  return 2 * next === all.length
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

  add(views: Views): void {
    const { viewers, counts, starts, ends } = views
    for (const viewer of viewers) this.#see(viewer)
    if (isInOrder(starts, counts) && isInOrder(ends, counts)) this.#addPlaces(starts.all, ends.all)
    else
      counts.forEach((count, row) => {
        const partOf = ({ entries, all }: Places) =>
          all.subarray(2 * entries[4 * row]!, 2 * (entries[4 * row]! + count))
        this.#addPlaces(partOf(starts), partOf(ends))
      })
  }

  /** One loop over local names: it turns a million times for a report that somebody waits for. */
  #addPlaces(starts: Halves, ends: Halves): void {
    const { duration, times, length, count } = this.#cut
    const changes = this.#changes
    for (let i = 0; i < starts.length; i += 2) {
      const start = starts[i]! + starts[i + 1]! * 2 ** 32
      const end = ends[i]! + ends[i + 1]! * 2 ** 32
      if (end <= start || start >= duration) continue
      const first = (start * times) / length
      if (first >= count) continue
      const last = (Math.min(end, duration) * times - 1) / length
      changes[first | 0]!++
      changes[last < count ? (last | 0) + 1 : count]!--
    }
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
