import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { FeedId, PostId, ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { readPost } from '../reading/read-posts.ts'
import { requireKinds } from '../require-kinds.ts'
import { findFeed } from '../store.ts'
import type { Post, PostChanges } from './schemas.ts'
import { removePost, updatePost } from './store.ts'

interface Address {
  feedId: FeedId
  postId: PostId
}

export async function changePost(
  caller: Caller,
  scope: ProjectScope,
  { changes, ...address }: Address & { changes: PostChanges },
  { sql, cdnUrl }: { sql: Sql; cdnUrl: CdnUrl },
): Promise<Post> {
  allow(caller, 'posts:write', scope)
  const { projectId } = scope
  const wanted = { projectId, ...address, drafts: true }
  if (changes.published) await requireContent(wanted, { sql, cdnUrl })
  const known = await updatePost(sql, { projectId, ...address }, changes)
  const found = known && (await readPost(wanted, { sql, cdnUrl }))
  if (!found) throw notFound()
  return found.post
}

/** What is published shows something that its feed takes. Content that is there stays, or takes the post with it. */
async function requireContent(
  { projectId, ...address }: Address & { projectId: ProjectId; drafts: boolean },
  deps: { sql: Sql; cdnUrl: CdnUrl },
): Promise<void> {
  const found = await readPost({ projectId, ...address }, deps)
  const feed = await findFeed(deps.sql, projectId, address.feedId)
  if (!found || !feed) throw notFound()
  if (found.published) return
  const { image, video, type } = found.post
  if (!image && !video) throw conflict('its content is not there yet; complete its upload')
  requireKinds(feed, { image: type === 'image', video: type === 'video' })
}

/** The post goes, a draft as well; what it shows stays. */
export async function deletePost(
  caller: Caller,
  scope: ProjectScope,
  address: Address,
  { sql }: { sql: Sql },
): Promise<void> {
  allow(caller, 'posts:delete', scope)
  if (!(await removePost(sql, { projectId: scope.projectId, ...address }))) throw notFound()
}
