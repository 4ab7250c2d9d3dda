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

/** Which rows `m` of media_items, or of attached_items, are of a project and as is asked for. Each part is by an index. */
export function matchingMedia(sql: Sql, projectId: ProjectId, filter: MediaFilter) {
  const { q, visibility, status, metadata } = filter
  const none = sql``
  return sql`m.project_id = ${projectId}
    ${q ? sql`and ${containing(sql, q)}` : none}
    ${visibility ? sql`and m.visibility = ${visibility}` : none}
    ${status ? sql`and ${sql.unsafe(STATES[status])}` : none}
    ${metadata ? sql`and m.metadata @> ${sql.json(metadata)}::jsonb` : none}`
}

/** A text of one or two letters has no parts that the index knows; and is in most names. */
function containing(sql: Sql, q: string) {
  const isIn = sql`position(lower(${q}) in m.search) > 0`
  return [...q].length < 3 ? isIn : sql`trigrams(m.search) @> trigrams(lower(${q})) and ${isIn}`
}
