import type { DuckDBConnection } from '@duckdb/node-api'
import { countChains, type Trail } from '../../chains.ts'
import type { EventScope, FunnelCounts, FunnelQuery, FunnelStep, TimeRange } from '../../port.ts'
import { type Gathered, gather } from './gather.ts'
import { within } from './scope.ts'
import { join, name, type SqlQuery, sql } from './sql.ts'

const SHIFT = 14
const VIEWERS = 2 ** SHIFT

type FunnelRows = Gathered<'viewer' | 'time' | 'arrival' | 'matches'>['columns']

/** DuckDB finds what matches a step; who got how far is found here, viewer by viewer. */
export async function funnel(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { steps, window }: FunnelQuery,
): Promise<FunnelCounts> {
  const bits = steps.map((step, i) => sql`(case when ${matches(step)} then ${1 << i} else 0 end)`)
  const from = sql`select * from (
    select viewer, time, arrival, ${join(bits, ' | ')} as matches from events
    where ${await within(connection, scope, range)} and viewer is not null) where matches <> 0`
  const columns = { viewer: 'integer', time: 'double', arrival: 'double', matches: 'integer' } as const
  const chains = countChains(steps.length, window)
  for await (const rows of gather(connection, { from, key: 'viewer', shift: SHIFT, columns }))
    for (const trail of trails(rows.columns)) chains.add(trail)
  return chains.counts()
}

function matches({ kind, fields }: FunnelStep): SqlQuery {
  const conditions = Object.entries(fields).map(([field, value]) =>
    field === 'project_id'
      ? sql`project in (select no from projects where project = ${value})`
      : sql`${name(field)} = ${value}`,
  )
  return join([sql`kind = ${kind}::kind`, ...conditions], ' and ')
}

/** What each viewer did, in order. The arrays of a trail are used again for the next. */
function* trails(rows: FunnelRows): Generator<Trail> {
  const { viewer } = rows
  // Where each viewer's rows are, by counting.
  const ends = new Uint32Array(VIEWERS + 1)
  for (const one of viewer) ends[(one & (VIEWERS - 1)) + 1]!++
  for (let i = 0; i < VIEWERS; i++) ends[i + 1]! += ends[i]!
  const order = new Uint32Array(viewer.length)
  const next = ends.slice(0, VIEWERS)
  for (let i = 0; i < viewer.length; i++) order[next[viewer[i]! & (VIEWERS - 1)]!++] = i

  for (let i = 0; i < VIEWERS; i++)
    if (ends[i]! < ends[i + 1]!) yield trail(order, ends[i]!, ends[i + 1]!, rows)
}

let times = new Float64Array(1024)
let steps = new Int32Array(1024)

function trail(order: Uint32Array, from: number, to: number, { time, arrival, matches }: FunnelRows): Trail {
  const length = to - from
  sortPart(order, from, to, (a, b) => time[a]! - time[b]! || arrival[a]! - arrival[b]!)
  if (length > times.length) {
    times = new Float64Array(2 * length)
    steps = new Int32Array(2 * length)
  }
  for (let i = 0; i < length; i++) {
    const row = order[from + i]!
    times[i] = time[row]!
    steps[i] = matches[row]!
  }
  return { times, matches: steps, length }
}

const FEW = 32

function sortPart(
  order: Uint32Array,
  from: number,
  to: number,
  compare: (a: number, b: number) => number,
): void {
  if (to - from > FEW) {
    order.subarray(from, to).sort(compare)
    return
  }
  // Most viewers have a few rows, nearly in order.
  for (let i = from + 1; i < to; i++) {
    const one = order[i]!
    let j = i
    for (; j > from && compare(order[j - 1]!, one) > 0; j--) order[j] = order[j - 1]!
    order[j] = one
  }
}
