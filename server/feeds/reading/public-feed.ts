import type { FeedId, PostId } from '../../base/ids.ts'
import { findPublicFeed } from '../store.ts'
import { type ReadPostsDeps, readPage, readPost } from './read-posts.ts'
import { versionOfFeed, versionOfPost } from './store.ts'

/** A feed that everybody may list, with its newest posts. Undefined where there is no such feed. */
export async function readPublicFeed(feedId: FeedId, limit: number, deps: ReadPostsDeps) {
  const newest = { projectId: undefined, feedId, published: true, creatorId: undefined, offset: 0 }
  const page = await readPage({ ...newest, limit, after: undefined }, deps)
  // After its posts: what is newer than their version is read again by whoever asks for the version.
  const feed = page && (await findPublicFeed(deps.sql, feedId))
  return feed && { version: page.version, feed, posts: page.posts }
}

/** A post that is published, for everybody. */
export async function readPublicPost(address: { feedId: FeedId; postId: PostId }, deps: ReadPostsDeps) {
  const found = await readPost({ ...address, drafts: false }, deps)
  return found && { version: found.version, post: found.post }
}

export function versionOfPublicFeed(feedId: FeedId, { sql }: Pick<ReadPostsDeps, 'sql'>) {
  return versionOfFeed(sql, undefined, feedId)
}

export function versionOfPublicPost(
  { feedId, postId }: { feedId: FeedId; postId: PostId },
  { sql }: Pick<ReadPostsDeps, 'sql'>,
) {
  return versionOfPost(sql, feedId, postId)
}
