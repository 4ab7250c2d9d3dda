import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { FeedId, PostId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { readPost } from '../reading/read-posts.ts'
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
  { sql, cdnUrl }: { sql: Sql; cdnUrl: string },
): Promise<Post> {
  allow(caller, 'posts:write', scope)
  const { projectId } = scope
  const known = await updatePost(sql, { projectId, ...address }, changes)
  const found = known && (await readPost({ projectId, ...address, drafts: true }, { sql, cdnUrl }))
  if (!found) throw notFound()
  return found.post
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
