import type { DuckDBConnection } from '@duckdb/node-api'
import type { Content, ContentCounts, ContentQuery, EventScope, TimeRange } from '../../port.ts'
import { type Gathered, gather } from './gather.ts'
import { within } from './scope.ts'
import { name, rows, sql } from './sql.ts'

/** Rows are gathered by content; whether a viewer was seen with it before is one look into a table of viewers. */
export async function contents(
  connection: DuckDBConnection,
  scope: EventScope,
  range: TimeRange,
  { by, id, feed, limit }: ContentQuery,
): Promise<ContentCounts[]> {
  const is = (column: Content, wanted: string | undefined) =>
    wanted === undefined
      ? sql`true`
      : sql`${name(column)} in (select no from contents where name = ${wanted})`
  // A viewer's number with the kind of view in its last two bits; nobody is -1.
  const from = sql`select ${name(by)} as content, coalesce(viewer, -1) * 4 + view as seen, watched
    from events
    where ${await within(connection, scope, range)} and kind = 'content_view' and ${name(by)} is not null
      and ${is(by, id)} and ${is('feed', feed)}`
  const columns = { seen: 'integer' } as const
  const tally = new Tally()
  for await (const rows of gather(connection, { from, key: 'content', shift: 0, columns, sum: 'watched' }))
    tally.add(rows)

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

type CountedContent = Omit<ContentCounts, 'id'> & { content: number }

const START = 1

class Tally {
  readonly counts: CountedContent[] = []
  /** For each viewer, the last content they were seen with (plus one, negative once they have started it). */
  #seen = new Int32Array(2 ** 16)

  /** Rows of one content. */
  add({ group: content, columns: { seen }, sum: watched }: Gathered<'seen'>): void {
    const mark = this.counts.length + 1
    const byView = [0, 0, 0, 0]
    let [viewers, withoutStart] = [0, 0]
    for (const one of seen) {
      const view = one & 3
      byView[view]!++
      const who = one >> 2
      if (who < 0) continue
      const last = this.#lastOf(who)
      if (last !== mark && last !== -mark) {
        viewers++
        if (view !== START) withoutStart++
        this.#seen[who] = view === START ? -mark : mark
      } else if (view === START && last === mark) {
        withoutStart--
        this.#seen[who] = -mark
      }
    }
    const [, starts, watches, ends] = byView as [number, number, number, number]
    this.counts.push({ content, views: starts + withoutStart, viewers, starts, watches, ends, watched })
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
