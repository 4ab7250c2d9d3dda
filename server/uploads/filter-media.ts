import type { ProjectId } from '../base/ids.ts'
import type { MediaFilter, Metadata } from '../base/media.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type MediaList, STATES } from './media-counts.ts'

/**
 * Which rows `m` of media_items, or of attached_items, are of a project and as is asked for. Each part is by an index; but
 * a text that is in very many, or among few, is better looked for in each row, on the way through them in another order.
 */
export function matchingMedia(
  sql: Sql,
  projectId: ProjectId,
  filter: MediaFilter,
  { isWalked = false }: { isWalked?: boolean } = {},
) {
  const { q, visibility, status, metadata } = filter
  const none = sql``
  return sql`m.project_id = ${projectId}
    ${q ? sql`and ${containing(sql, q, isWalked)}` : none}
    ${visibility ? sql`and m.visibility = ${visibility}` : none}
    ${status ? sql`and ${sql.unsafe(STATES[status])}` : none}
    ${metadata ? sql`and ${having(sql, metadata, isWalked)}` : none}`
}

export type QueryPart = ReturnType<typeof matchingMedia>

export interface Matching {
  projectId: ProjectId
  list: MediaList
  /** The table of the rows `m`, which is its owner's to name. */
  from: QueryPart
  /** What they are beside that. */
  and: QueryPart
}

/** What somebody has said of a row `m`, looked for in it. */
export function saying(sql: Sql, { q, metadata }: MediaFilter) {
  const none = sql``
  return sql`true ${q ? sql`and ${containing(sql, q, true)}` : none}
    ${metadata ? sql`and ${having(sql, metadata, true)}` : none}`
}

/** The index is that of all projects, and no index is of the same value at the end of a path without a step. */
function having(sql: Sql, metadata: Metadata, isWalked: boolean) {
  return sql`${isWalked ? sql`(m.metadata #> '{}')` : sql`m.metadata`} @> ${sql.json(metadata)}::jsonb`
}

/** Parts of three letters are in the fewest texts; a shorter text has none, though lower case makes two of some letters. */
function containing(sql: Sql, q: string, isWalked: boolean) {
  const isIn = sql`position(lower(${q}) in m.search) > 0`
  if (isWalked) return isIn
  if ([...q].length >= 3) return sql`trigrams(m.search) @> trigrams(lower(${q})) and ${isIn}`
  return sql`letters_and_pairs(m.search) @> case when char_length(lower(${q})) < 3 then array[lower(${q})]
    else letters_and_pairs(lower(${q})) end and ${isIn}`
}
