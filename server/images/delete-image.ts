import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { ImageId, ProjectId } from '../base/ids.ts'
import { cancelUpload, emptyUnlessKept, type TrashDeps, trashFile } from '../uploads/index.ts'
import { isPoster } from './posters/store.ts'
import { fileOfBegun, markDeleted } from './store.ts'

export interface DeleteImageDeps extends TrashDeps {
  /** Has a video take a picture of its own instead of this poster, which goes. */
  dropPoster(poster: { projectId: ProjectId; imageId: ImageId }): Promise<void>
}

/**
 * Marks an image as deleted: from now on nobody is served it, and its bytes go when it cannot be brought back. An
 * upload that was begun and not completed is cancelled.
 */
export async function deleteImage(
  caller: Caller,
  scope: ProjectScope,
  imageId: ImageId,
  deps: DeleteImageDeps,
): Promise<void> {
  allow(caller, 'images:delete', scope)
  const { projectId } = scope
  const fileId = await deps.sql.begin(async (tx) => {
    const file = await markDeleted(tx, projectId, imageId)
    if (file) await trashFile(tx, file)
    return file
  })
  if (!fileId && (await isPoster(deps.sql, projectId, imageId)))
    return deps.dropPoster({ projectId, imageId })
  if (!fileId) {
    const begun = await fileOfBegun(deps.sql, projectId, imageId)
    if (begun && (await cancelUpload(projectId, [begun], deps))) return
    throw notFound()
  }
  // Should this fail, the sweep does it later.
  await emptyUnlessKept(projectId, [fileId], deps).catch(() => {})
}
