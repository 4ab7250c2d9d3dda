import type { MediaFilter } from '../base/media.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { areFarOff, COUNTED, countMatching, type Total, totalAfter } from './count-matching.ts'
import { type Matching, matchingMedia, type QueryPart } from './filter-media.ts'

/** Whether anything is asked for but all there is. */
function isFiltered({ q, visibility, status, metadata }: MediaFilter): boolean {
  return Boolean(q || visibility || status || metadata)
}

/** What lists are sorted by, each the order of an index: names byte by byte, by the first 200. */
const SORTS = {
  created_at: 'm.created_at',
  name: 'm.name_start',
  size: 'm.size',
  updated_at: 'm.updated_at',
  duration: 'm.duration',
}

interface MatchingPage {
  sort: keyof typeof SORTS
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/**
 * How many there are, and a page of them: what `select` answers of the rows `m` that it is given, with their order behind what it
 * joins to them. The page is chosen before anything is joined: the planner would rather go through all items in the order of
 * their ids. Nor does it know how many have some text or metadata: where they are few, they are found first and sorted then.
 */
export async function pageOfMatching<Row>(
  sql: Sql,
  page: MatchingPage & MediaFilter,
  matching: Matching,
  select: (found: QueryPart, inOrder: QueryPart) => Promise<Row[]>,
): Promise<Total & { rows: Row[] }> {
  const { limit, offset, sort } = page
  const counted = await countMatching(sql, page, matching)
  const order = page.order === 'asc' ? sql`asc` : sql`desc`
  const inOrder = (place: string) => sql`order by ${sql.unsafe(place)} ${order}, m.id ${order}`
  // One more tells that there are more.
  const part = sql`limit ${limit + 1} offset ${offset}`
  const isPart = isFiltered(page) || matching.list === 'unattached'
  const isFew = isPart && !counted.isMinimum && counted.total <= COUNTED
  const isFarOff = await areFarOff(
    sql,
    page,
    { ...matching, ...counted },
    { inOrder: inOrder(SORTS[sort]), rows: offset + limit + 1 },
  )
  const isWalked = counted.isWalked && !isFarOff
  const these = sql`m.id, ${sql.unsafe(SORTS[sort])} as place ${matching.from}
    where ${matchingMedia(sql, matching.projectId, page, { isWalked })} ${matching.and}`
  const found =
    isFew || isFarOff
      ? sql`(select m.id, m.place from (select ${these} offset 0) m ${inOrder('m.place')} ${part}) m`
      : sql`(select ${these} ${inOrder(SORTS[sort])} ${part}) m`
  const rows = await select(found, inOrder('m.place'))
  const isLast = rows.length <= limit
  return {
    rows: rows.slice(0, limit),
    ...totalAfter(counted, offset, { rows: Math.min(rows.length, limit), isLast }),
  }
}
