import type { ProjectId } from '../base/ids.ts'
import type { MediaFilter, WantedStatus } from '../base/media.ts'
import type { Sql } from '../platform/postgres/client.ts'

/** Lists of the media of a project. The last two tell images by whether they are attached to a video. */
export type MediaList = 'media' | 'videos' | 'images' | 'attached' | 'unattached'

const OF_LIST: Record<MediaList, string> = {
  media: "m.list = 'media_items'",
  videos: "m.list = 'media_items' and m.kind = 'video'",
  images: "m.list = 'media_items' and m.kind = 'image'",
  attached: "m.list = 'attached_items'",
  unattached: "m.kind = 'image'",
}

/** Images that are attached to a video are in both lists, which leaves the others. */
const UNATTACHED = "case m.list when 'media_items' then m.items else -m.items end"

/** Written out, not bound: the planner sees that an index of few rows holds all that is meant. */
export const STATES: Record<WantedStatus, string> = {
  ready: "m.status = 'ready'",
  error: "m.status = 'error'",
  processing: "m.status = 'ready' and not m.is_made",
  complete: "m.status = 'ready' and m.is_made",
}

/** How many there are of a visibility and a status, or in all, by what was counted when they changed. */
export async function countMedia(
  sql: Sql,
  projectId: ProjectId,
  list: MediaList,
  { visibility, status }: Pick<MediaFilter, 'visibility' | 'status'> = {},
): Promise<number> {
  const none = sql``
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(${sql.unsafe(list === 'unattached' ? UNATTACHED : 'm.items')}), 0)::bigint as total
    from media_counts m where m.project_id = ${projectId} and ${sql.unsafe(OF_LIST[list])}
      ${visibility ? sql`and m.visibility = ${visibility}` : none}
      ${status ? sql`and ${sql.unsafe(STATES[status])}` : none}`
  return row!.total
}

/**
 * Makes one row of those that add up, one caller after the other: two at once would take the same rows.
 * Rows are taken by where they lie. Joined to their groups, they were all added up once for each of them
 * whenever the planner took the table for smaller than it had become.
 */
export async function gatherCounts(sql: Sql): Promise<void> {
  const group = sql`project_id, list, kind, visibility, status, is_made`
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('marquee media counts'))`
    await tx`
      with taken as (
        delete from media_counts where ctid = any(array(
          select ctid from (
            select ctid, count(*) over same as count, sum(items) over same as items
            from media_counts window same as (partition by ${group})
          ) counted where count > 1 or items = 0
        )) returning *
      )
      insert into media_counts (${group}, items)
      select ${group}, sum(items)::bigint from taken group by ${group} having sum(items) <> 0`
  })
}
