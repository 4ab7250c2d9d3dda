import type { Plan } from '../../base/caller.ts'
import type { FeedId, ImageId, PostId, ProjectId, VideoId } from '../../base/ids.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import type { PostChanges } from './schemas.ts'

export interface NewPostRow {
  id: PostId
  feedId: FeedId
  creatorId: string
  description: string
  imageId: ImageId | null
  videoId: VideoId | null
  planType: Plan
  published: boolean
  createdAt: Date
}

/** Those whose media the feed has already are left out. */
export async function insertPosts(tx: Transaction, posts: NewPostRow[]): Promise<void> {
  const rows = posts.map((post) => ({
    id: post.id,
    feed_id: post.feedId,
    creator_id: post.creatorId,
    description: post.description,
    image_id: post.imageId,
    video_id: post.videoId,
    plan_type: post.planType,
    published: post.published,
    created_at: post.createdAt,
    updated_at: post.createdAt,
  }))
  await tx`insert into posts ${tx(rows)} on conflict do nothing`
}

export interface PostContent {
  imageId: ImageId | null
  videoId: VideoId | null
  published: boolean
}

export async function contentOfPost(
  sql: Queryable,
  { projectId, feedId, postId }: PostAddress,
): Promise<PostContent | undefined> {
  const [row] = await sql<PostContent[]>`
    select p.image_id as "imageId", p.video_id as "videoId", p.published from posts p join feeds f on f.id = p.feed_id
    where p.id = ${postId} and f.id = ${feedId} and f.project_id = ${projectId} and f.deleted_at is null`
  return row
}

export interface PostAddress {
  projectId: ProjectId
  feedId: FeedId
  postId: PostId
}

/** Shows drafts to everybody; nothing happens to those that are shown or gone. */
export async function publish(tx: Transaction, postIds: PostId[]): Promise<void> {
  await tx`
    update posts set published = true, failure = null, updated_at = now()
    where id = any(${postIds}) and not published`
}

export async function noteFailure(sql: Sql, postId: PostId, reason: string): Promise<void> {
  await sql`update posts set failure = ${reason} where id = ${postId} and not published`
}

export async function updatePost(sql: Sql, address: PostAddress, changes: PostChanges): Promise<boolean> {
  const { projectId, feedId, postId } = address
  const { published = null } = changes
  const rows = await sql`
    update posts p set description = coalesce(${changes.description ?? null}, p.description),
      creator_id = coalesce(${changes.creator_id ?? null}, p.creator_id),
      published = coalesce(${published}, p.published),
      failure = case when ${published}::boolean then null else p.failure end, updated_at = now()
    from feeds f
    where p.id = ${postId} and f.id = p.feed_id and f.id = ${feedId} and f.project_id = ${projectId}
      and f.deleted_at is null
    returning p.id`
  return rows.length > 0
}

export async function removePost(sql: Sql, { projectId, feedId, postId }: PostAddress): Promise<boolean> {
  const rows = await sql`
    delete from posts p using feeds f
    where p.id = ${postId} and f.id = p.feed_id and f.id = ${feedId} and f.project_id = ${projectId}
      and f.deleted_at is null
    returning p.id`
  return rows.length > 0
}

/** The posts of a feed that show these, by what they show. */
export async function postsShowing(
  sql: Queryable,
  feedId: FeedId,
  contentIds: string[],
): Promise<Map<string, PostId>> {
  const rows = await sql<{ id: PostId; content_id: string }[]>`
    select id, coalesce(image_id, video_id) as content_id from posts
    where feed_id = ${feedId} and (image_id = any(${contentIds}) or video_id = any(${contentIds}))`
  return new Map(rows.map((row) => [row.content_id, row.id]))
}
