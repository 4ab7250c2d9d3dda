import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound, Refusal } from '../base/errors.ts'
import type { FileId, VideoId } from '../base/ids.ts'
import { findUpload } from '../videos/index.ts'
import type { DeliveryDeps } from './deliver-file.ts'
import { deliverThumbnail, type ThumbnailRequest } from './deliver-thumbnail.ts'
import type { Deliverable } from './deliverable.ts'

type WantedThumbnail = Partial<Pick<ThumbnailRequest, 'time' | 'width' | 'height' | 'format'>> &
  Pick<ThumbnailRequest, 'accept' | 'signal'>

/** A picture of a video: its poster, or the one at a time. */
export async function showThumbnail(
  caller: Caller,
  scope: ProjectScope,
  videoId: VideoId,
  { time, width, height, format, accept, signal }: WantedThumbnail,
  deps: DeliveryDeps,
): Promise<Deliverable> {
  allow(caller, 'videos:read', scope)
  const wanted = { projectId: scope.projectId, time, width, height, format, accept, signal }
  for (let before: FileId | undefined; ; ) {
    const video = await findUpload(deps.sql, scope.projectId, videoId)
    if (!video) throw notFound()
    const { fileId, posterFileId } = video
    try {
      return await deliverThumbnail({ ...wanted, fileId, posterFileId }, deps)
    } catch (error) {
      // Its poster may have been exchanged for another since the record was read.
      if (posterFileId === before || !(error instanceof Refusal && error.status === 404)) throw error
      before = posterFileId
    }
  }
}
