import { mediaDefaults } from '../../access/projects/media-defaults.ts'
import { requireStorage, type StorageDeps } from '../../access/projects/require-storage.ts'
import type { ProjectScope } from '../../access/projects/resolve-project.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { addImage } from '../../images/begin-image.ts'
import type { BegunImage } from '../../images/schemas.ts'
import type { UploadDeps } from '../../uploads/begin-upload.ts'
import { addVideo } from '../../videos/begin-video.ts'
import type { BegunVideo } from '../../videos/schemas.ts'
import { requireKinds } from '../require-kinds.ts'
import { findFeed } from '../store.ts'
import type { BegunPost, NewPost } from './schemas.ts'
import { insertPosts } from './store.ts'

/** Makes a draft, what it is to show, and the addresses to send that to: all at once or nothing. */
export async function beginPost(
  caller: Caller,
  scope: ProjectScope,
  { feedId, wanted }: { feedId: string; wanted: NewPost },
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
        imageId: isImage ? content.content_id : null,
        videoId: isImage ? null : content.content_id,
        planType: defaults.plan,
        published: false,
        createdAt,
      },
    ])
    return { post_id: postId, ...content }
  })
}

type Content = Omit<BegunPost, 'post_id'>

function contentOfImage({ image_id, presigned_url, upload_expires }: BegunImage): Content {
  return { content_id: image_id, content_upload_url: presigned_url, upload_expires }
}

function contentOfVideo(video: BegunVideo): Content {
  return {
    content_id: video.video_id,
    content_upload_url: video.video_presigned_url,
    poster_id: video.poster_id,
    poster_upload_url: video.poster_presigned_url,
    upload_expires: video.upload_expires,
  }
}
