import type { FileId, ProjectId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { deleteTrashedFiles } from './leftovers/store.ts'
import { removeObjects, type SweepDeps } from './sweep.ts'

/** Files whose time in the trash is over go, and the records that are about them; the sweep removes their objects. */
export async function purgeFiles(sql: Sql, due: { seconds: number; only?: string[] }): Promise<number> {
  let count = 0
  for (let some = -1; some !== 0; count += some) some = await deleteTrashedFiles(sql, due)
  return count
}

export interface TrashDeps extends SweepDeps {
  /** Seconds for which what was deleted can be brought back. */
  trashSeconds: number
}

/** Where there is no trash, files that were just put into it go at once. */
export async function emptyUnlessKept(
  projectId: ProjectId,
  fileIds: FileId[],
  deps: TrashDeps,
): Promise<void> {
  if (deps.trashSeconds > 0) return
  await purgeFiles(deps.sql, { seconds: 0, only: fileIds })
  for (const fileId of fileIds) await removeObjects(projectId, fileId, deps)
}
