import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { conflict, notFound } from '../base/errors.ts'
import { retireFile } from '../uploads/files.ts'
import { removeObjects, type SweepDeps } from '../uploads/sweep.ts'
import { isPoster } from './posters/store.ts'
import { markDeleted } from './store.ts'

/** Marks an image as deleted: from now on nobody is served it, and its bytes go. */
export async function deleteImage(
  caller: Caller,
  scope: ProjectScope,
  imageId: string,
  deps: SweepDeps,
): Promise<void> {
  allow(caller, 'images:delete', scope)
  const fileId = await deps.sql.begin(async (tx) => {
    const file = await markDeleted(tx, scope.projectId, imageId)
    if (file) await retireFile(tx, file)
    return file
  })
  if (!fileId && (await isPoster(deps.sql, scope.projectId, imageId)))
    throw conflict('it is the poster of a video')
  if (!fileId) throw notFound()
  // Should this fail, the sweep does it later.
  await removeObjects(scope.projectId, fileId, deps).catch(() => {})
}
