import type { DuckDBConnection } from '@duckdb/node-api'
import type { ContentCounts, ContentQuery, EventScope, TimeRange } from '../../port.ts'
import { type Gathered, gather } from './gather.ts'
import { within } from './scope.ts'
import { name, rows, sql } from './sql.ts'

/** All contents' rows are gathered by viewer, so that "seen before" is one look into a table of contents. */
export async function contents(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { by, id, limit }: ContentQuery,
): Promise<ContentCounts[]> {
  const only = id === undefined ? sql`true` : sql`${name(by)} in (select no from contents where name = ${id})`
  const from = sql`select ${name(by)} as content, coalesce(viewer, -1) as viewer,
      case view_type when 'start' then 1 when 'watch' then 2 when 'end' then 3 else 0 end as view,
      coalesce(watched, 0) as watched
    from events
    where ${await within(connection, scope, range)} and kind = 'content_view' and ${name(by)} is not null and ${only}`
  const columns = { content: 'integer', viewer: 'integer', view: 'integer', watched: 'double' } as const
  const tally = new Tally()
  for await (const rows of gather(connection, { from, key: 'content', shift: 0, columns })) tally.add(rows)

  const top = tally.counts
    .sort((a, b) => b.views - a.views || Number(b.watched - a.watched))
    // Those that are level are ordered by id, which is not known yet.
    .filter(({ views, watched }, _, all) => {
      const last = all[limit - 1]
      return !last || views > last.views || (views === last.views && watched >= last.watched)
    })
  const ids = await namesOf(
    connection,
    top.map(({ content }) => content),
  )
  const named = top.map(({ content, ...counts }) => ({ id: ids.get(content)!, ...counts }))
  named.sort((a, b) => b.views - a.views || Number(b.watched - a.watched) || byBytes(a.id, b.id))
  if (id !== undefined && named.length === 0) return [{ id, ...NOTHING }]
  return named.slice(0, limit)
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

const NOTHING = { views: 0, viewers: 0, starts: 0, watches: 0, ends: 0, watched: 0n }

type Counts = Omit<ContentCounts, 'id'> & { content: number }

class Tally {
  readonly counts: Counts[] = []
  /** For each viewer, the last content they were seen with (plus one, negative once they have started it). */
  #seen = new Int32Array(2 ** 16)

  /** Rows of one content. */
  add({ content, viewer, view, watched }: Gathered<'content' | 'viewer' | 'view' | 'watched'>): void {
    const counts: Counts = { content: content[0]!, ...NOTHING }
    const mark = this.counts.length + 1
    const byView = [0, 0, 0, 0]
    let without = 0
    let sum = 0
    for (let i = 0; i < viewer.length; i++) {
      byView[view[i]!]!++
      // A number loses the last digits of a great sum.
      if (sum + watched[i]! > Number.MAX_SAFE_INTEGER) {
        counts.watched += BigInt(sum)
        sum = 0
      }
      sum += watched[i]!
      const who = viewer[i]!
      if (who < 0) continue
      const seen = this.#lastOf(who)
      if (seen !== mark && seen !== -mark) {
        counts.viewers++
        if (view[i] !== 1) without++
        this.#seen[who] = view[i] === 1 ? -mark : mark
      } else if (view[i] === 1 && seen === mark) {
        without--
        this.#seen[who] = -mark
      }
    }
    counts.starts = byView[1]!
    counts.watches = byView[2]!
    counts.ends = byView[3]!
    counts.views = counts.starts + without
    counts.watched += BigInt(sum)
    this.counts.push(counts)
  }

  #lastOf(viewer: number): number {
    if (viewer >= this.#seen.length) {
      const larger = new Int32Array(2 ** Math.ceil(Math.log2(viewer + 1)))
      larger.set(this.#seen)
      this.#seen = larger
    }
    return this.#seen[viewer]!
  }
}

async function namesOf(connection: DuckDBConnection, numbers: number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const list = { text: numbers.join(', '), values: [] }
  const found = await rows<{ no: number; name: string }>(
    connection,
    sql`select no, name from contents where no in (${list})`,
  )
  return new Map(found.map((one) => [one.no, one.name]))
}
