import type { MediaFilter } from '../base/media.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type Matching, matchingMedia, type QueryPart, saying } from './filter-media.ts'
import { countMedia } from './media-counts.ts'

/** What is searched for is counted so far. Of more, some are met on the way through all; so many are looked through, and sorted. */
export const COUNTED = 5000
/** Among the newest it is looked for, to see whether it is in many; and then it is counted among more of them. */
const PROBED = 1000
const MANY_OF_PROBED = 250
const WALKED = 200_000
/** Enough rows of a table to tell whether most of them match; it says nothing of a project that has few of those. */
const SAMPLED = 10_000
const ENOUGH_OF_SAMPLE = 100
/** So many rows are walked through to see whether a page is near. */
const NEAR = 50_000

/** How many there are, or that there are more than that. */
export interface Total {
  total: number
  isMinimum: boolean
}

export interface CountedMatches extends Total {
  /** How many there are to search through. */
  all: number
  /** Whether it is better to look at the rows, one by one, than at what an index finds. */
  isWalked: boolean
}

/**
 * How many match, and whether those of a project are so few that it is better to look at each than at the index of texts, which is
 * that of all projects. What only has a state was counted when it came to have it. Of what is searched for, no more are counted than
 * anybody looks through: among a million that are all found, the index alone takes longer than a page may. And what is in every
 * fourth is counted on a way through the newest.
 */
export async function countMatching(
  sql: Sql,
  filter: MediaFilter,
  { projectId, list, from, and, isNarrowed = false }: Matching & { isNarrowed?: boolean },
): Promise<CountedMatches> {
  const { q, metadata, visibility, status } = filter
  const all = await countMedia(sql, projectId, list, filter)
  const isSmall = all <= COUNTED
  if (!q && !metadata && !isNarrowed) return { total: all, isMinimum: false, all, isWalked: isSmall }
  const upTo = (most: number, these: QueryPart) => countUpTo(sql, most, these)
  const newest = (count: number) => sql`from (select m.search, m.metadata ${from}
    where ${matchingMedia(sql, projectId, { visibility, status })} ${and}
    order by m.created_at desc, m.id desc limit ${count}) m where ${saying(sql, filter)}`
  const isInMany =
    (q || metadata) && all > COUNTED && (await upTo(MANY_OF_PROBED, newest(PROBED))) === MANY_OF_PROBED
  const more = { total: COUNTED, isMinimum: true, all, isWalked: true }
  if (isInMany && (await upTo(COUNTED + 1, newest(WALKED))) > COUNTED) return more
  const these = sql`${from} where ${matchingMedia(sql, projectId, filter, { isWalked: isSmall })} ${and}`
  const total = await upTo(COUNTED + 1, these)
  return total > COUNTED ? more : { total, isMinimum: false, all, isWalked: isSmall }
}

interface WantedPart {
  /** The order of an index, and where in it to begin. */
  inOrder: QueryPart
  beyond?: QueryPart
  /** How many from there on are asked for. */
  rows: number
}

/**
 * Whether it is better to sort all that an index finds, though it is very much, as where only the oldest have a text and the newest
 * are asked for. It is not where enough are met soon on the way through all: where they are spread evenly, and are so many that
 * neither way is the shorter one, they are met within so many rows. Nor is it where most of all match: there are few to pass by.
 */
export async function areFarOff(
  sql: Sql,
  filter: MediaFilter,
  { projectId, list, from, and, all, isMinimum }: Omit<Matching & CountedMatches, 'total' | 'isWalked'>,
  { inOrder, beyond = sql``, rows }: WantedPart,
): Promise<boolean> {
  const { q, metadata, visibility, status } = filter
  if (!isMinimum || !(q || metadata)) return false
  const soon = Math.ceil(Math.sqrt(rows * all))
  const first = sql`from (select m.search, m.metadata ${from}
    where ${matchingMedia(sql, projectId, { visibility, status })} ${and} ${beyond}
    ${inOrder} limit ${soon}) m where ${saying(sql, filter)}`
  if (soon <= NEAR && (await countUpTo(sql, rows, first)) === rows) return false
  const table = list === 'attached' ? 'attached_items' : 'media_items'
  const [sample] = await sql<{ seen: number; matching: number }[]>`
    select count(*) as seen, count(*) filter (where ${saying(sql, filter)}) as matching
    ${from} tablesample system (
      (select least(100, 100.0 * ${SAMPLED} / greatest(reltuples, 1)) from pg_class where oid = ${table}::regclass))
    where ${matchingMedia(sql, projectId, { visibility, status })} ${and}`
  const { seen, matching } = sample!
  return seen < ENOUGH_OF_SAMPLE || matching < seen / 2
}

async function countUpTo(sql: Sql, most: number, these: QueryPart): Promise<number> {
  const [row] = await sql<{ found: number }[]>`
    select count(*) as found from (select ${these} limit ${most}) found`
  return row!.found
}

interface PageSeen {
  rows: number
  isLast: boolean
}

/** What its page tells of a total that may be more: never less than was seen, and all once the last was seen. */
export function totalAfter({ total, isMinimum }: Total, offset: number, { rows, isLast }: PageSeen): Total {
  if (!isMinimum || rows === 0) return { total, isMinimum }
  const seen = offset + rows
  return isLast ? { total: seen, isMinimum: false } : { total: Math.max(total, seen + 1), isMinimum }
}

/** As an answer says it. */
export function toldTotal({ total, isMinimum }: Total) {
  return { total, ...(isMinimum && { total_is_minimum: true }) }
}
