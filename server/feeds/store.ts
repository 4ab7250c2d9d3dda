import type { FeedId, ProjectId } from '../base/ids.ts'
import type { Due, TrashItem } from '../base/trash.ts'
import type { Page } from '../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import type { Feed, FeedChanges } from './schemas.ts'

const columns = (sql: Queryable) => sql`
  id, project_id, name, description, allow_images, allow_videos, has_likes, has_shares, has_comments, visibility,
  created_at, updated_at`

type FeedRow = Omit<Feed, 'visibility'> & { visibility: 'public' | 'private' }

function toFeed({ visibility, ...feed }: FeedRow): Feed {
  return visibility === 'public' ? { ...feed, visibility } : feed
}

/** By name: a body may hold more than it should, and none of that is to become a column. */
const SETTABLE = [
  ...(['name', 'description', 'allow_images', 'allow_videos', 'has_likes', 'has_shares'] as const),
  ...(['has_comments', 'visibility'] as const),
]

export async function insertFeed(
  sql: Sql,
  feed: Required<FeedChanges> & { id: FeedId; project_id: ProjectId },
): Promise<Feed> {
  const [row] = await sql<FeedRow[]>`
    insert into feeds ${sql(feed, 'id', 'project_id', ...SETTABLE)} returning ${columns(sql)}`
  return toFeed(row!)
}

export async function listFeeds(sql: Sql, projectId: ProjectId, { limit, offset }: Page) {
  const feeds = await sql<FeedRow[]>`
    select ${columns(sql)} from feeds where project_id = ${projectId} and deleted_at is null
    order by id desc limit ${limit} offset ${offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from feeds where project_id = ${projectId} and deleted_at is null`
  return { feeds: feeds.map(toFeed), total: count!.total }
}

export async function findFeed(
  sql: Queryable,
  projectId: ProjectId,
  feedId: FeedId,
): Promise<Feed | undefined> {
  const [row] = await sql<FeedRow[]>`
    select ${columns(sql)} from feeds where id = ${feedId} and project_id = ${projectId} and deleted_at is null`
  return row && toFeed(row)
}

/** One that everybody may list. */
export async function findPublicFeed(sql: Queryable, feedId: FeedId): Promise<Feed | undefined> {
  const [row] = await sql<FeedRow[]>`
    select ${columns(sql)} from feeds where id = ${feedId} and visibility = 'public' and deleted_at is null`
  return row && toFeed(row)
}

export async function updateFeed(
  sql: Sql,
  projectId: ProjectId,
  feedId: FeedId,
  changes: FeedChanges,
): Promise<Feed | undefined> {
  const given = SETTABLE.filter((name) => changes[name] !== undefined)
  const [row] = await sql<FeedRow[]>`
    update feeds set ${sql({ ...changes, updated_at: new Date() }, ...given, 'updated_at')}, version = nextval('versions')
    where id = ${feedId} and project_id = ${projectId} and deleted_at is null returning ${columns(sql)}`
  return row && toFeed(row)
}

/** Nobody sees it any more. False where it is unknown. */
export async function markDeleted(sql: Sql, projectId: ProjectId, feedId: FeedId): Promise<boolean> {
  const rows = await sql`
    update feeds set deleted_at = now()
    where id = ${feedId} and project_id = ${projectId} and deleted_at is null returning id`
  return rows.length > 0
}

/** Those that are not there only because their project is. */
export function listTrashed(sql: Sql): Promise<TrashItem[]> {
  return sql<TrashItem[]>`
    select f.id, 'feed' as kind, f.name, f.project_id, f.deleted_at, 0 as bytes
    from feeds f join projects p on p.id = f.project_id
    where f.deleted_at is not null and f.deleted_at is distinct from p.deleted_at and not f.purged`
}

export async function projectOfTrashed(sql: Sql, feedId: FeedId): Promise<ProjectId | undefined> {
  const [row] = await sql<{ project_id: ProjectId }[]>`
    select project_id from feeds where id = ${feedId} and deleted_at is not null and not purged`
  return row?.project_id
}

export async function restoreTrashed(sql: Sql, feedId: FeedId): Promise<boolean> {
  const rows = await sql`
    update feeds f set deleted_at = null from projects p
    where f.id = ${feedId} and f.deleted_at is not null and not f.purged
      and p.id = f.project_id and p.deleted_at is null
    returning f.id`
  return rows.length > 0
}

/** Feeds that have been in the trash for so long cannot come back any more; answers which. */
export async function purgeTrashed(tx: Transaction, { seconds, only }: Due): Promise<FeedId[]> {
  const rows = await tx<{ id: FeedId }[]>`
    update feeds set purged = true
    where deleted_at <= now() - make_interval(secs => ${seconds}) and not purged
      and (${only ?? null}::text is null or id = ${only ?? null}) returning id`
  return rows.map(({ id }) => id)
}

/** Removes some posts of a deleted feed, and the feed itself with the last of them. False when all is gone. */
export async function removeSome(sql: Sql, feedId: FeedId, count: number): Promise<boolean> {
  const removed = await sql`
    delete from posts where id in (select id from posts where feed_id = ${feedId} limit ${count})`
  if (removed.count > 0) return true
  await sql`delete from feeds where id = ${feedId} and deleted_at is not null`
  return false
}
