import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import { emptyUnlessKept, type TrashDeps, trashFile } from '../uploads/trash.ts'
import { isPoster } from './posters/store.ts'
import { markDeleted } from './store.ts'

export interface DeleteDeps extends TrashDeps {
  /** Has a video take a picture of its own instead of this poster, which goes. */
  dropPoster(poster: { projectId: string; imageId: string }): Promise<void>
}

/** Marks an image as deleted: from now on nobody is served it, and its bytes go when it cannot be brought back. */
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
    if (file) await trashFile(tx, file)
    return file
  })
  if (!fileId && (await isPoster(deps.sql, projectId, imageId)))
    return deps.dropPoster({ projectId, imageId })
  if (!fileId) throw notFound()
  // Should this fail, the sweep does it later.
  await emptyUnlessKept(projectId, [fileId], deps).catch(() => {})
}
