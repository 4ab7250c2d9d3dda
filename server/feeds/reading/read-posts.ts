import type { CdnUrl } from '../../base/cdn-url.ts'
import type { FeedId, PostId, ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Post } from '../posts/schemas.ts'
import { findPage, findPost, findPosts, type WantedPost, type WantedPosts } from './store.ts'
import { toPost } from './to-post.ts'

export interface ReadPostsDeps {
  sql: Sql
  cdnUrl: CdnUrl
}

/** A page of posts as they are shown, with its version and its total. Undefined without such a feed. */
export async function readPage(wanted: WantedPosts, { sql, cdnUrl }: ReadPostsDeps) {
  const found = await findPage(sql, wanted)
  if (!found) return undefined
  const { rows, ...page } = found
  return { ...page, posts: rows.map((row) => toPost(row, page.projectId, cdnUrl)) }
}

/** One post. Undefined where it is not there, or a draft that is not wanted. */
export async function readPost(wanted: WantedPost, { sql, cdnUrl }: ReadPostsDeps) {
  const row = await findPost(sql, wanted)
  return (
    row && {
      version: row.version,
      published: row.published,
      post: toPost(row, row.project_id, cdnUrl),
    }
  )
}

/** These posts of a feed, in the order of their ids as given. */
export async function readPosts(
  { projectId, feedId, postIds }: { projectId: ProjectId; feedId: FeedId; postIds: PostId[] },
  { sql, cdnUrl }: ReadPostsDeps,
): Promise<Post[]> {
  const rows = await findPosts(sql, feedId, postIds)
  const posts = new Map(rows.map((row) => [row.id, toPost(row, projectId, cdnUrl)]))
  return postIds.flatMap((id) => posts.get(id) ?? [])
}
