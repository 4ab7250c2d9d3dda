import { countChains, type Trail } from '../chains.ts'
import { isFieldOf } from '../fields.ts'
import type { EventScope, FunnelCounts, FunnelQuery, FunnelStep, TimeRange } from '../port.ts'
import type { Client } from './client.ts'
import type { Tables } from './schema.ts'
import { identifier, isIn, literal } from './sql.ts'

/**
 * ClickHouse finds what matches and puts it in order, by viewer; the chains are found here. Its windowFunnel
 * would be simpler, but leaves open the order of events at the same time.
 */
export async function askFunnel(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  { steps, window }: FunnelQuery,
): Promise<FunnelCounts> {
  const bits = steps.map((step, i) => `if(${matches(step)}, ${2 ** i}, 0)`)
  const sql = `
    SELECT arrayMap(each -> each.1, trail), arrayMap(each -> each.3, trail) FROM (
      SELECT arraySort(groupArray((time, arrival, mask))) AS trail FROM (
        SELECT viewer, time, arrival, toUInt32(${bits.join(' + ')}) AS mask FROM ${allEvents}
        WHERE ${isIn(scope, range)} AND isNotNull(viewer)
      ) WHERE mask != 0 GROUP BY viewer HAVING max(bitAnd(mask, 1)) = 1)`

  const chains = countChains(steps.length, window)
  for await (const trail of trailsIn(client.stream(0, sql))) chains.add(trail)
  return chains.counts()
}

function matches({ kind, fields }: FunnelStep): string {
  const conditions = Object.entries(fields).map(([name, value]) => {
    if (!isFieldOf(kind, name)) throw new Error(`${name} is no field of ${kind}`)
    if (name === 'project_id') return `project = ${literal(value)}`
    return `ifNull(${identifier(name)} = ${literal(value)}, 0)`
  })
  return [`kind = ${literal(kind)}`, ...conditions].join(' AND ')
}

/** Reads rows of an Array(Int64) and an Array(UInt32) in RowBinary, each as soon as all of it has come. */
async function* trailsIn(source: AsyncIterable<Buffer>): AsyncGenerator<Trail> {
  let waiting: Buffer[] = []
  let [length, needed] = [0, 0]
  for await (const part of source) {
    waiting.push(part)
    length += part.length
    if (length < needed) continue
    const bytes = waiting.length === 1 ? part : Buffer.concat(waiting)
    let at = 0
    for (;;) {
      const row = rowAt(bytes, at)
      needed = row.size
      if ('trail' in row) yield row.trail
      else break
      at += row.size
    }
    waiting = [bytes.subarray(at)]
    length = bytes.length - at
  }
  if (length > 0) throw new Error('the answer of ClickHouse ends in the middle of a row')
}

/** The row that begins at a place, or how many bytes it needs at least. */
function rowAt(bytes: Buffer, start: number): { size: number; trail: Trail } | { size: number } {
  const first = countAt(bytes, start)
  if (!first) return { size: bytes.length - start + 1 }
  const secondAt = first.end + first.count * 8
  const second = countAt(bytes, secondAt)
  if (!second) return { size: secondAt + 1 - start }
  const end = second.end + second.count * 4
  if (end > bytes.length) return { size: end - start }
  const times = new Float64Array(first.count)
  for (let i = 0; i < first.count; i++) {
    const at = first.end + i * 8
    times[i] = bytes.readInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at)
  }
  const matches = new Uint32Array(second.count)
  for (let i = 0; i < second.count; i++) matches[i] = bytes.readUInt32LE(second.end + i * 4)
  return { size: end - start, trail: { times, matches } }
}

/** A number in sevens of bits, the lowest first; undefined where it has not come whole. */
function countAt(bytes: Buffer, start: number): { count: number; end: number } | undefined {
  let count = 0
  for (let at = start, factor = 1; at < bytes.length; at++, factor *= 128) {
    const byte = bytes[at]!
    count += (byte & 127) * factor
    if (byte < 128) return { count, end: at + 1 }
  }
  return undefined
}
