import type { ProjectScope } from '../../access/projects/resolve-project.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { DeliveryDeps } from '../../playback/deliver-file.ts'
import { deliverThumbnail, type ThumbnailRequest } from '../../playback/deliver-thumbnail.ts'
import type { Deliverable } from '../../playback/deliverable.ts'
import { findUpload } from '../store.ts'

type Wanted = Partial<Pick<ThumbnailRequest, 'time' | 'width' | 'height' | 'format'>> &
  Pick<ThumbnailRequest, 'accept' | 'signal'>

/** A picture of a video: its poster, or the one at a time. */
export async function showThumbnail(
  caller: Caller,
  scope: ProjectScope,
  videoId: string,
  { time, width, height, format, accept, signal }: Wanted,
  deps: DeliveryDeps,
): Promise<Deliverable> {
  allow(caller, 'videos:read', scope)
  const { projectId } = scope
  const video = await findUpload(deps.sql, projectId, videoId)
  if (!video) throw notFound()
  const { fileId, posterFileId } = video
  return deliverThumbnail(
    { projectId, fileId, posterFileId, time, width, height, format, accept, signal },
    deps,
  )
}
