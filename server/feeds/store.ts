import type { Page } from '../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import type { Feed, FeedChanges } from './schemas.ts'

const columns = (sql: Queryable) => sql`
  id, project_id, name, description, allow_images, allow_videos, has_likes, has_shares, has_comments, created_at,
  updated_at`

/** By name: a body may hold more than it should, and none of that is to become a column. */
const SETTABLE = [
  ...(['name', 'description', 'allow_images', 'allow_videos', 'has_likes', 'has_shares'] as const),
  'has_comments' as const,
]

export async function insertFeed(
  sql: Sql,
  feed: Required<FeedChanges> & { id: string; project_id: string },
): Promise<Feed> {
  const [row] = await sql<Feed[]>`
    insert into feeds ${sql(feed, 'id', 'project_id', ...SETTABLE)} returning ${columns(sql)}`
  return row!
}

export async function listFeeds(sql: Sql, projectId: string, { limit, offset }: Page) {
  const feeds = await sql<Feed[]>`
    select ${columns(sql)} from feeds where project_id = ${projectId} and deleted_at is null
    order by id desc limit ${limit} offset ${offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from feeds where project_id = ${projectId} and deleted_at is null`
  return { feeds: [...feeds], total: count!.total }
}

export async function findFeed(sql: Queryable, projectId: string, feedId: string): Promise<Feed | undefined> {
  const [row] = await sql<Feed[]>`
    select ${columns(sql)} from feeds where id = ${feedId} and project_id = ${projectId} and deleted_at is null`
  return row
}

export async function updateFeed(
  sql: Sql,
  projectId: string,
  feedId: string,
  changes: FeedChanges,
): Promise<Feed | undefined> {
  const given = SETTABLE.filter((name) => changes[name] !== undefined)
  const [row] = await sql<Feed[]>`
    update feeds set ${sql({ ...changes, updated_at: new Date() }, ...given, 'updated_at')}
    where id = ${feedId} and project_id = ${projectId} and deleted_at is null returning ${columns(sql)}`
  return row
}

/** Nobody sees it any more. False where it is unknown. */
export async function markDeleted(tx: Transaction, projectId: string, feedId: string): Promise<boolean> {
  const rows = await tx`
    update feeds set deleted_at = now()
    where id = ${feedId} and project_id = ${projectId} and deleted_at is null returning id`
  return rows.length > 0
}

/** Removes some posts of a deleted feed, and the feed itself with the last of them. False when all is gone. */
export async function removeSome(sql: Sql, feedId: string, count: number): Promise<boolean> {
  const removed = await sql`
    delete from posts where id in (select id from posts where feed_id = ${feedId} limit ${count})`
  if (removed.count > 0) return true
  await sql`delete from feeds where id = ${feedId} and deleted_at is not null`
  return false
}
