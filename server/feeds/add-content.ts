import { mediaDefaults, type ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { FeedId, ImageId, ProjectId, VideoId } from '../base/ids.ts'
import { isId, newId } from '../base/ids.ts'
import { holdImages } from '../images/index.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { holdVideos } from '../videos/index.ts'
import type { Post } from './posts/schemas.ts'
import { insertPosts, postsShowing, publish } from './posts/store.ts'
import { readPosts } from './reading/read-posts.ts'
import { requireKinds } from './require-kinds.ts'
import type { NewContent } from './schemas.ts'
import { findFeed } from './store.ts'

/** Makes posts of media that is there. All of it or nothing; what the feed has already is not added again. */
export async function addContent(
  caller: Caller,
  scope: ProjectScope,
  { feedId, content }: { feedId: FeedId; content: NewContent },
  { sql, cdnUrl }: { sql: Sql; cdnUrl: CdnUrl },
): Promise<{ feed_id: FeedId; data: Post[] }> {
  allow(caller, 'posts:write', scope)
  const { projectId } = scope
  const ids = [...new Set(content.content_ids)]
  const imageIds = ids.filter(isImage)
  const videoIds = ids.filter((id) => isId('video', id))
  if (content.content_type === 'image' && videoIds[0])
    throw badRequest(`content_ids: ${videoIds[0]} is a video, and content_type is image`)
  if (content.content_type === 'video' && imageIds[0])
    throw badRequest(`content_ids: ${imageIds[0]} is an image, and content_type is video`)
  const postIds = await sql.begin(async (tx) => {
    const [feed, defaults] = await Promise.all([
      findFeed(tx, projectId, feedId),
      mediaDefaults(tx, projectId),
    ])
    if (!feed || !defaults) throw notFound()
    requireKinds(feed, { image: imageIds.length > 0, video: videoIds.length > 0 })
    await requireAll(tx, projectId, imageIds, videoIds)
    const now = new Date()
    // Later in the list is newer in the feed.
    const fresh = ids.map(() => newId('post', now.getTime())).sort()
    await insertPosts(
      tx,
      ids.map((id, i) => ({
        id: fresh[i]!,
        feedId,
        creatorId: content.creator_id ?? '',
        description: content.description ?? '',
        imageId: isImage(id) ? id : null,
        videoId: isImage(id) ? null : id,
        planType: defaults.plan,
        published: true,
        createdAt: now,
      })),
    )
    const posts = await postsShowing(tx, feedId, ids)
    await publish(tx, [...posts.values()])
    return ids.flatMap((id) => posts.get(id) ?? [])
  })
  return { feed_id: feedId, data: await readPosts({ projectId, feedId, postIds }, { sql, cdnUrl }) }
}

function isImage(contentId: string): contentId is ImageId {
  return isId('image', contentId)
}

async function requireAll(
  tx: Transaction,
  projectId: ProjectId,
  imageIds: ImageId[],
  videoIds: VideoId[],
): Promise<void> {
  const held = new Set([
    ...(await holdImages(tx, projectId, imageIds)),
    ...(await holdVideos(tx, projectId, videoIds)),
  ])
  const missing = [...imageIds, ...videoIds].find((id) => !held.has(id))
  if (missing) throw notFound(`content_ids: there is no ${missing}`)
}
