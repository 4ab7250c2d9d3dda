import { SECOND } from '../calendar.ts'
import type { OverviewCounts, OverviewQuery } from '../overview-port.ts'
import type { EventScope, TimeRange } from '../port.ts'
import type { Client } from './client.ts'
import { isType, numbers, VIEWS } from './reports.ts'
import type { Tables } from './schema.ts'
import { bucketOf, isIn, literal } from './sql.ts'

const FIRST = 0

export async function askOverview(
  client: Client,
  { allEvents }: Tables,
  scope: EventScope,
  range: TimeRange,
  { interval, video, feed, country }: OverviewQuery,
): Promise<OverviewCounts[]> {
  const isContent = (column: string, wanted: string | undefined) =>
    wanted === undefined ? '1' : `ifNull(${column} != '' AND ${column} = ${literal(wanted)}, 0)`
  const isCountry = country === undefined ? '1' : `ifNull(country = ${literal(country)}, 0)`
  // Microseconds in two sums, of whole seconds and of the rest: together they could be more than 64 bits hold.
  const rows = await client.query(
    FIRST,
    `SELECT bucket, ${VIEWS} AS views, ifNull(uniqExact(viewer), 0) AS viewers, sum(ends) AS all_ends,
        sum(seconds) + intDiv(sum(rest), ${SECOND}) AS all_seconds, sum(rest) % ${SECOND} AS all_rest
      FROM (
        SELECT ${interval === undefined ? literal(0) : bucketOf(interval)} AS bucket, content_id, viewer,
          count() AS seen, countIf(${isType('start')}) AS starts, countIf(${isType('end')}) AS ends,
          sum(intDiv(ifNull(watched, 0), ${SECOND})) AS seconds, sum(ifNull(watched, 0) % ${SECOND}) AS rest
        FROM ${allEvents} WHERE ${isIn(scope, range)} AND kind = 'content_view'
          AND ${isContent('video', video)} AND ${isContent('feed_id', feed)} AND ${isCountry}
        GROUP BY bucket, content_id, viewer)
      GROUP BY bucket ORDER BY bucket`,
  )
  return rows.map((row) => ({
    ...numbers(row, 'bucket', 'views', 'viewers'),
    ends: Number(row.all_ends),
    watched: BigInt(row.all_seconds!) * BigInt(SECOND) + BigInt(row.all_rest!),
  }))
}
