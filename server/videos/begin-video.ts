import { mediaDefaults, type ProjectScope, requireStorage, type StorageDeps } from '../access/index.ts'
import { allow, type Caller, type Plan } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { ProjectId, VideoId } from '../base/ids.ts'
import { newId } from '../base/ids.ts'
import { insertPoster } from '../images/index.ts'
import type { Quality } from '../media/video/ladder.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { beginUpload, type UploadDeps } from '../uploads/index.ts'
import type { BegunVideo, NewVideo } from './schemas.ts'
import { insertVideo } from './store.ts'

/** A video may be completed until its address expires; its poster must not be swept away meanwhile. */
const POSTER_GRACE_SECONDS = 3600

export async function beginVideo(
  caller: Caller,
  scope: ProjectScope,
  wanted: NewVideo,
  deps: UploadDeps & StorageDeps,
): Promise<BegunVideo> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  await requireStorage(projectId, deps)
  const defaults = await mediaDefaults(deps.sql, projectId)
  if (!defaults) throw notFound()
  return deps.sql.begin((tx) => addVideo(tx, projectId, wanted, defaults, deps))
}

/** For whoever has asked for permission and for storage. */
export async function addVideo(
  tx: Transaction,
  projectId: ProjectId,
  wanted: Omit<NewVideo, 'image_format'> & { image_format?: string; clipOf?: VideoId },
  defaults: { plan: Plan; video_quality: string },
  deps: UploadDeps,
): Promise<BegunVideo> {
  const quality = wanted.video_quality ?? (defaults.video_quality as Quality)
  const video = { id: newId('video'), fileId: newId('file') }
  const poster = { id: newId('image'), fileId: newId('file') }
  const videoUpload = await beginUpload(
    tx,
    {
      id: video.fileId,
      projectId,
      kind: 'video',
      name: wanted.file_name,
      size: wanted.file_size,
      resumable: wanted.resumable,
    },
    deps,
  )
  const posterUpload = await beginUpload(
    tx,
    {
      id: poster.fileId,
      projectId,
      kind: 'image',
      name: `poster.${wanted.image_format || 'jpg'}`,
      resumable: wanted.resumable,
      graceSeconds: POSTER_GRACE_SECONDS,
    },
    deps,
  )
  await insertPoster(tx, { ...poster, projectId, videoId: video.id })
  await insertVideo(tx, {
    ...video,
    projectId,
    posterId: poster.id,
    quality,
    planType: defaults.plan,
    clipOf: wanted.clipOf,
  })
  return {
    video_id: video.id,
    video_presigned_url: videoUpload.url,
    poster_id: poster.id,
    poster_presigned_url: posterUpload.url,
    upload_expires: Math.min(videoUpload.expires, posterUpload.expires),
  }
}
