import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { FileId, ProjectId, VideoId } from '../base/ids.ts'
import { fileOfPoster, trashPoster } from '../images/index.ts'
import { cancelUpload, emptyUnlessKept, holdFiles, type TrashDeps, trashFile } from '../uploads/index.ts'
import { fileOfVideo, findCompleted, findUpload, markDeleted } from './store.ts'

export interface DeleteVideoDeps extends TrashDeps {
  transcoder: {
    /** Ends all work on a file that is gone. */
    forget(fileId: FileId, projectId: ProjectId): void
  }
}

/**
 * Deletes a video with everything that belongs to it: nobody is served any of it from now on. An upload that was begun
 * and not completed is cancelled.
 */
export async function deleteVideo(
  caller: Caller,
  scope: ProjectScope,
  videoId: VideoId,
  deps: DeleteVideoDeps,
): Promise<void> {
  allow(caller, 'videos:delete', scope)
  const { projectId } = scope
  if (await cancelBegun(projectId, videoId, deps)) return
  const files = await deps.sql.begin(async (tx) => {
    const fileId = await fileOfVideo(tx, projectId, videoId)
    if (!fileId) throw notFound()
    await holdFiles(tx, [fileId])
    // A poster that was set in the last moment is seen only now.
    const video = await findCompleted(tx, videoId)
    if (!video) throw notFound()
    const posterFileId = await fileOfPoster(tx, video.posterId)
    if (posterFileId) await holdFiles(tx, [posterFileId])
    await trashPoster(tx, video.posterId, { withVideo: true })
    await markDeleted(tx, videoId)
    await trashFile(tx, fileId)
    return [fileId, ...(posterFileId ? [posterFileId] : [])]
  })
  deps.transcoder.forget(files[0]!, projectId)
  // Should this fail, the sweep does it later.
  await emptyUnlessKept(projectId, files, deps).catch(() => {})
}

async function cancelBegun(projectId: ProjectId, videoId: VideoId, deps: DeleteVideoDeps): Promise<boolean> {
  if (await fileOfVideo(deps.sql, projectId, videoId)) return false
  const upload = await findUpload(deps.sql, projectId, videoId)
  if (!upload) return false
  // A poster that was completed as an image stays one.
  return cancelUpload(projectId, [upload.fileId, upload.posterFileId], deps)
}
