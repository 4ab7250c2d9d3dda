import { conflict } from '../base/errors.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { deleteAwaited, holdFiles, statusOfFile } from './store.ts'
import { removeObjects, type SweepDeps } from './sweep.ts'

/**
 * Ends uploads that were begun and not completed, with the records that they were to become; their addresses stop working.
 * The first of the files decides: false where it is not awaited any more.
 */
export async function cancelUpload(
  projectId: ProjectId,
  fileIds: [FileId, ...FileId[]],
  deps: SweepDeps & { sql: Sql },
): Promise<boolean> {
  const cancelled = await deps.sql.begin(async (tx) => {
    await holdFiles(tx, fileIds)
    const deleted = await deleteAwaited(tx, fileIds)
    if (deleted.includes(fileIds[0])) return deleted
    const status = await statusOfFile(tx, fileIds[0])
    if (status === 'processing') throw conflict('the upload is being completed')
    return []
  })
  // Should this fail, the sweep does it later.
  for (const fileId of cancelled) await removeObjects(projectId, fileId, deps).catch(() => {})
  return cancelled.length > 0
}
