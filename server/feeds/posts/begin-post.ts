import { mediaDefaults, type ProjectScope, requireStorage, type StorageDeps } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { FeedId } from '../../base/ids.ts'
import { isId, newId } from '../../base/ids.ts'
import { addImage, type BegunImage } from '../../images/index.ts'
import type { UploadDeps } from '../../uploads/index.ts'
import { addVideo, type BegunVideo } from '../../videos/index.ts'
import { requireKinds } from '../require-kinds.ts'
import { findFeed } from '../store.ts'
import type { BegunPost, NewPost } from './schemas.ts'
import { insertPosts } from './store.ts'

/** Makes a draft, what it is to show, and the addresses to send that to: all at once or nothing. */
export async function beginPost(
  caller: Caller,
  scope: ProjectScope,
  { feedId, wanted }: { feedId: FeedId; wanted: NewPost },
  deps: UploadDeps & StorageDeps,
): Promise<BegunPost> {
  allow(caller, 'posts:write', scope)
  const { projectId } = scope
  const feed = await findFeed(deps.sql, projectId, feedId)
  if (!feed) throw notFound()
  const isImage = wanted.content_type === 'image'
  requireKinds(feed, { image: isImage, video: !isImage })
  await requireStorage(projectId, deps)
  const defaults = await mediaDefaults(deps.sql, projectId)
  if (!defaults) throw notFound()
  const createdAt = new Date()
  const postId = newId('post', createdAt.getTime())
  return deps.sql.begin(async (tx) => {
    const content = isImage
      ? contentOfImage(await addImage(tx, projectId, wanted, deps))
      : contentOfVideo(await addVideo(tx, projectId, wanted, defaults, deps))
    await insertPosts(tx, [
      {
        id: postId,
        feedId,
        creatorId: wanted.creator_id ?? '',
        description: wanted.description ?? '',
        imageId: isId('image', content.content_id) ? content.content_id : null,
        videoId: isId('video', content.content_id) ? content.content_id : null,
        planType: defaults.plan,
        published: false,
        createdAt,
      },
    ])
    return { post_id: postId, ...content }
  })
}

type PostedContent = Omit<BegunPost, 'post_id'>

function contentOfImage({ image_id, presigned_url, upload_expires }: BegunImage): PostedContent {
  return { content_id: image_id, content_upload_url: presigned_url, upload_expires }
}

function contentOfVideo(video: BegunVideo): PostedContent {
  return {
    content_id: video.video_id,
    content_upload_url: video.video_presigned_url,
    poster_id: video.poster_id,
    poster_upload_url: video.poster_presigned_url,
    upload_expires: video.upload_expires,
  }
}
