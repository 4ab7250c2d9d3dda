import type { FeedId, PostId, ProjectId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Queryable, Sql } from '../platform/postgres/client.ts'
import type { Used } from './list-uses.ts'

export interface UseRow {
  feed_id: FeedId
  feed_name: string
  post_id: PostId
  published: boolean
  created_at: string
}

/** Whether it is there: complete, not deleted, and of this project. A poster counts. */
export async function isMedia(sql: Queryable, projectId: ProjectId, { kind, id }: Used): Promise<boolean> {
  const rows =
    kind === 'video'
      ? await sql`
          select from videos where id = ${id} and project_id = ${projectId} and duration is not null
            and deleted_at is null`
      : await sql`
          select from images where id = ${id} and project_id = ${projectId} and width is not null
            and deleted_at is null`
  return rows.length > 0
}

export async function findUses(sql: Sql, wanted: Page & { used: Used; drafts: boolean }) {
  const { used, drafts, limit, offset } = wanted
  const these = sql`
    from posts p join feeds f on f.id = p.feed_id
    where ${used.kind === 'video' ? sql`p.video_id` : sql`p.image_id`} = ${used.id} and f.deleted_at is null
      ${drafts ? sql`` : sql`and p.published`}`
  const rows = await sql<UseRow[]>`
    select f.id as feed_id, f.name as feed_name, p.id as post_id, p.published, p.created_at ${these}
    order by p.created_at desc, p.id desc limit ${limit} offset ${offset}`
  const [count] = await sql<{ total: number }[]>`select count(*) as total ${these}`
  return { rows, total: count!.total }
}
