import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import { notFound, Refusal } from '../../base/errors.ts'
import type { FeedId, PostId, ProjectId } from '../../base/ids.ts'
import { finishImage, type CompleteImageDeps as ImageDeps } from '../../images/index.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { finishVideo, type CompleteVideoDeps as VideoDeps } from '../../videos/index.ts'
import { readPost } from '../reading/read-posts.ts'
import { requireKinds } from '../require-kinds.ts'
import { findFeed } from '../store.ts'
import type { Post } from './schemas.ts'
import { contentOfPost, noteFailure, type PostContent, publish } from './store.ts'

export interface CompletePostDeps {
  sql: Sql
  cdnUrl: CdnUrl
  images: ImageDeps
  videos: VideoDeps
}

/** Publishes a draft when its content is there and can be decoded. Asking again answers the same post. */
export async function completePost(
  caller: Caller,
  scope: ProjectScope,
  { feedId, postId }: { feedId: FeedId; postId: PostId },
  deps: CompletePostDeps,
): Promise<Post> {
  allow(caller, 'posts:write', scope)
  const address = { projectId: scope.projectId, feedId, postId }
  const content = await contentOfPost(deps.sql, address)
  if (!content) throw notFound('no such post')
  if (!content.published) {
    const feed = await findFeed(deps.sql, scope.projectId, feedId)
    if (!feed) throw notFound('no such post')
    requireKinds(feed, { image: content.imageId !== null, video: content.videoId !== null })
    await finish(scope.projectId, postId, content, deps)
    // Its content may have been completed by itself, as an image or a video.
    await deps.sql.begin((tx) => publish(tx, [postId]))
  }
  const found = await readPost({ ...address, drafts: false }, deps)
  if (!found) throw notFound('it was deleted meanwhile')
  return found.post
}

async function finish(
  projectId: ProjectId,
  postId: PostId,
  { imageId, videoId }: PostContent,
  deps: CompletePostDeps,
): Promise<void> {
  // In the transaction that makes the content ready: there is no moment between the two.
  const alongside = (tx: Transaction) => publish(tx, [postId])
  try {
    if (imageId) await finishImage({ projectId, imageId, attachedToVideo: false, alongside }, deps.images)
    else await finishVideo({ projectId, videoId: videoId!, alongside }, deps.videos)
  } catch (error) {
    // The draft stays one; whoever looks at it later sees why.
    if (error instanceof Refusal && (error.status === 400 || error.status === 413))
      await noteFailure(deps.sql, postId, error.details ?? 'it is too large')
    throw error
  }
}
