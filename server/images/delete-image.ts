import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import { retireFile } from '../uploads/files.ts'
import { removeObjects, type SweepDeps } from '../uploads/sweep.ts'
import { isPoster } from './posters/store.ts'
import { markDeleted } from './store.ts'

export interface DeleteDeps extends SweepDeps {
  /** Has a video take a picture of its own instead of this poster, which goes. */
  dropPoster(poster: { projectId: string; imageId: string }): Promise<void>
}

/** Marks an image as deleted: from now on nobody is served it, and its bytes go. */
export async function deleteImage(
  caller: Caller,
  scope: ProjectScope,
  imageId: string,
  deps: DeleteDeps,
): Promise<void> {
  allow(caller, 'images:delete', scope)
  const { projectId } = scope
  const fileId = await deps.sql.begin(async (tx) => {
    const file = await markDeleted(tx, projectId, imageId)
    if (file) await retireFile(tx, file)
    return file
  })
  if (!fileId && (await isPoster(deps.sql, projectId, imageId)))
    return deps.dropPoster({ projectId, imageId })
  if (!fileId) throw notFound()
  // Should this fail, the sweep does it later.
  await removeObjects(projectId, fileId, deps).catch(() => {})
}
