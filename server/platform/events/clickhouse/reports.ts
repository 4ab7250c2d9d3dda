import { type Interval, SECOND } from '../calendar.ts'
import type { Kind } from '../fields.ts'
import type {
  Activity,
  Content,
  ContentCounts,
  ContentQuery,
  EventScope,
  RealtimeCounts,
  Returned,
  TimeRange,
} from '../port.ts'
import type { Client, ResultRow } from './client.ts'
import type { Tables } from './schema.ts'
import { bucketOf, isIn, literal } from './sql.ts'

/** A report asks the first server, which asks the others. */
const FIRST = 0

const CONTENT: Record<Content, string> = { video: 'video', post: 'post_id', feed: 'feed_id' }
export const isType = (type: string) => `ifNull(view_type = ${literal(type)}, 0)`

/** Starts, and one for a viewer who has none, of a row for each viewer; the viewer can be nobody. */
export const VIEWS = 'sum(starts + if(isNotNull(viewer) AND seen > 0 AND starts = 0, 1, 0))'

export async function askContents(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  { by, id, feed, limit }: ContentQuery,
): Promise<ContentCounts[]> {
  const column = CONTENT[by]
  const only = id === undefined ? '' : ` AND ${column} = ${literal(id)}`
  const within = feed === undefined ? '' : ` AND feed_id != '' AND feed_id = ${literal(feed)}`
  const which = `ifNull(${column} != ''${only}${within}, 0)`
  // Microseconds in two sums, of whole seconds and of the rest: together they could be more than 64 bits hold.
  const rows = await client.query(
    FIRST,
    `SELECT content, ${VIEWS} AS views, countIf(isNotNull(viewer)) AS viewers,
        sum(starts) AS all_starts, sum(watches) AS all_watches, sum(ends) AS all_ends,
        sum(seconds) + intDiv(sum(rest), ${SECOND}) AS all_seconds, sum(rest) % ${SECOND} AS all_rest
      FROM (
        SELECT assumeNotNull(${column}) AS content, viewer, count() AS seen, countIf(${isType('start')}) AS starts,
          countIf(${isType('watch')}) AS watches, countIf(${isType('end')}) AS ends,
          sum(intDiv(ifNull(watched, 0), ${SECOND})) AS seconds, sum(ifNull(watched, 0) % ${SECOND}) AS rest
        FROM ${allEvents} WHERE ${isIn(scope, range)} AND kind = 'content_view' AND ${which}
        GROUP BY content, viewer)
      GROUP BY content ORDER BY views DESC, all_seconds DESC, all_rest DESC, content LIMIT ${Number(limit)}`,
  )
  if (id !== undefined && rows.length === 0)
    return [{ id, views: 0, viewers: 0, starts: 0, watches: 0, ends: 0, watched: 0n }]
  return rows.map((row) => ({
    id: row.content!,
    views: Number(row.views),
    viewers: Number(row.viewers),
    starts: Number(row.all_starts),
    watches: Number(row.all_watches),
    ends: Number(row.all_ends),
    watched: BigInt(row.all_seconds!) * BigInt(SECOND) + BigInt(row.all_rest!),
  }))
}

export async function askActivity(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  interval: Interval,
): Promise<Activity[]> {
  const rows = await client.query(
    FIRST,
    `SELECT bucket, ${VIEWS} AS views, ifNull(uniqExact(viewer), 0) AS viewers
      FROM (
        SELECT ${bucketOf(interval)} AS bucket, content_id, viewer, countIf(kind = 'content_view') AS seen,
          countIf(kind = 'content_view' AND ${isType('start')}) AS starts
        FROM ${allEvents} WHERE ${isIn(scope, range)} GROUP BY bucket, content_id, viewer)
      GROUP BY bucket HAVING views > 0 OR viewers > 0 ORDER BY bucket`,
  )
  return rows.map((row) => numbers(row, 'bucket', 'views', 'viewers'))
}

export async function askRetention(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  interval: Interval,
): Promise<Returned[]> {
  const rows = await client.query(
    FIRST,
    `SELECT first, bucket, count() AS viewers FROM (
        SELECT min(span) AS first, groupUniqArray(span) AS spans FROM (
          SELECT viewer, ${bucketOf(interval)} AS span FROM ${allEvents}
          WHERE ${isIn(scope, range)} AND isNotNull(viewer))
        GROUP BY viewer)
      ARRAY JOIN spans AS bucket GROUP BY first, bucket ORDER BY first, bucket`,
  )
  return rows.map((row) => numbers(row, 'first', 'bucket', 'viewers'))
}

export async function askRealtime(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
): Promise<RealtimeCounts> {
  const from = `FROM ${allEvents} WHERE ${isIn(scope, range)}`
  const [totals, kinds, countries, recent] = await Promise.all(
    [
      `SELECT ifNull(uniqExact(viewer), 0) AS viewers,
        countIf(time >= ${literal(range.to - 60 * SECOND)}) AS lastMinute ${from}`,
      `SELECT kind, count() AS times ${from} GROUP BY kind ORDER BY times DESC, kind`,
      `SELECT country, count() AS times ${from} AND ifNull(country != '', 0)
        GROUP BY country ORDER BY times DESC, country LIMIT 10`,
      `SELECT time, kind, viewer, country, page, content_id ${from} ORDER BY time DESC, arrival DESC LIMIT 10`,
    ].map((sql) => client.query(FIRST, sql)),
  )
  return {
    ...numbers(totals![0]!, 'viewers', 'lastMinute'),
    kinds: kinds!.map(({ kind, times }) => ({ kind: kind as Kind, count: Number(times) })),
    countries: countries!.map(({ country, times }) => ({ country: country!, count: Number(times) })),
    recent: recent!.map((row) => ({
      time: Number(row.time),
      kind: row.kind as Kind,
      viewer: row.viewer!,
      country: row.country!,
      page: row.page!,
      content_id: row.content_id!,
    })),
  }
}

export function numbers<K extends string>(row: ResultRow, ...names: K[]): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, Number(row[name])])) as Record<K, number>
}
