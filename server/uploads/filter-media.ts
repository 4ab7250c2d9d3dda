import type { ProjectId } from '../base/ids.ts'
import type { MediaFilter, WantedStatus } from '../base/media.ts'
import type { Sql } from '../platform/postgres/client.ts'

/** Written out, not bound: the planner sees that an index of few rows holds all that is meant. */
const STATES: Record<WantedStatus, string> = {
  ready: "m.status = 'ready'",
  error: "m.status = 'error'",
  processing: "m.status = 'ready' and not m.is_made",
  complete: "m.status = 'ready' and m.is_made",
}

/** Whether anything is asked for but all there is. */
export function isFiltered({ q, visibility, status, metadata }: MediaFilter): boolean {
  return Boolean(q || visibility || status || metadata)
}

/**
 * Which rows `m` of media_items, or of attached_items, are of a project and as is asked for. Each part is by an index; but
 * a text that is in very many is better looked for in each row, on the way through them in another order.
 */
export function matchingMedia(
  sql: Sql,
  projectId: ProjectId,
  filter: MediaFilter,
  { isInMost = false }: { isInMost?: boolean } = {},
) {
  const { q, visibility, status, metadata } = filter
  const none = sql``
  return sql`m.project_id = ${projectId}
    ${q ? sql`and ${containing(sql, q, isInMost)}` : none}
    ${visibility ? sql`and m.visibility = ${visibility}` : none}
    ${status ? sql`and ${sql.unsafe(STATES[status])}` : none}
    ${metadata ? sql`and m.metadata @> ${sql.json(metadata)}::jsonb` : none}`
}

interface MatchingPage {
  sort: string
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

interface Matching {
  projectId: ProjectId
  /** The table of the rows `m`, which is its owner's to name. */
  from: ReturnType<typeof matchingMedia>
  /** What they are beside that. */
  and: ReturnType<typeof matchingMedia>
  /** What a page is sorted by that is not by time, of what is joined to `m`. */
  column: string
}

/** Of more than these, some are met soon on a way through all in the order of time. */
const FEW = 5000

/**
 * How many there are, the rows `m` of a page, and what comes behind that which is joined to them. They are found, and by
 * time the page is chosen, before anything is joined: the planner would rather go through all items in the order of their
 * ids. Nor does it know how many have some metadata: where they are few, they are found first and sorted then.
 */
export async function pageOfMatching(
  sql: Sql,
  page: MatchingPage & MediaFilter,
  { projectId, from, and, column }: Matching,
) {
  const fromThose = (isInMost: boolean) =>
    sql`${from} where ${matchingMedia(sql, projectId, page, { isInMost })} ${and}`
  const [count] = await sql<{ total: number }[]>`select count(*) as total ${fromThose(false)}`
  const { total } = count!
  const isByTime = page.sort === 'created_at'
  const order = page.order === 'asc' ? sql`asc` : sql`desc`
  const sorted = sql`order by ${sql.unsafe(isByTime ? 'm.created_at' : column)} ${order}, m.id ${order}`
  const part = sql`${sorted} limit ${page.limit} offset ${page.offset}`
  const fields = sql`m.id, m.file_id, m.created_at`
  const all = sql`(select ${fields} ${fromThose(false)} offset 0) m`
  if (!isByTime) return { total, found: all, end: part }
  const found =
    total > FEW
      ? sql`(select ${fields} ${fromThose(true)} ${part}) m`
      : sql`(select ${fields} from ${all} ${part}) m`
  return { total, found, end: sorted }
}

/** A text of one or two letters has no parts that the index knows; and is in most names. */
function containing(sql: Sql, q: string, isInMost: boolean) {
  const isIn = sql`position(lower(${q}) in m.search) > 0`
  return isInMost || [...q].length < 3 ? isIn : sql`trigrams(m.search) @> trigrams(lower(${q})) and ${isIn}`
}
