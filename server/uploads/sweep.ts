import type { FileId, ProjectId } from '../base/ids.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { INCOMING, incomingKey, PIECES, piecesPrefix, prefixOf } from './keys.ts'
import {
  deleteExpiredFiles,
  filesAwaitingUpload,
  forgetGarbage,
  listGarbage,
  listLoose,
} from './leftovers/store.ts'
import { announceObjects, removeOrphans } from './orphans.ts'

export interface SweepDeps {
  sql: Sql
  objects: ObjectStore
}

export interface SweepOptions {
  /** Parts of a put that nobody will complete are older than that; one under way must not be. */
  brokenPutsKeepSeconds: number
}

/**
 * Removes what is left over: uploads never completed, objects of deleted files, bytes that came too late, and
 * parts of what was broken off by a crash.
 */
export async function sweep(
  { sql, objects }: SweepDeps,
  { brokenPutsKeepSeconds }: SweepOptions,
): Promise<void> {
  while ((await deleteExpiredFiles(sql)) > 0);
  for (let batch = await listGarbage(sql, 100); batch.length > 0; batch = await listGarbage(sql, 100))
    for (const { file_id, project_id } of batch) await removeObjects(project_id, file_id, { sql, objects })
  for (let batch = await listLoose(sql, 100); batch.length > 0; batch = await listLoose(sql, 100))
    await removeOrphans(batch, { sql, objects })
  await sweepIncoming({ sql, objects })
  await objects.sweepTemporary(brokenPutsKeepSeconds * 1000)
}

/** Removes all objects of a file that is gone. Can be cut off anywhere and done again. */
export async function removeObjects(
  projectId: ProjectId,
  fileId: FileId,
  { sql, objects }: SweepDeps,
): Promise<void> {
  const prefix = prefixOf(projectId, fileId)
  // Whoever makes segments of it learns that it is gone after a put, unless they are killed just then.
  await announceObjects(sql, prefix)
  await objects.delete(incomingKey(fileId))
  await objects.deletePrefix(piecesPrefix(fileId))
  await objects.deletePrefix(prefix)
  await forgetGarbage(sql, fileId)
}

async function sweepIncoming(deps: SweepDeps): Promise<void> {
  const { objects } = deps
  // Nothing else is ever put there.
  await sweepUnawaited(INCOMING, (fileId) => objects.delete(incomingKey(fileId)), deps)
  await sweepUnawaited(PIECES, (fileId) => objects.deletePrefix(piecesPrefix(fileId)), deps)
}

/** Removes what lies below a prefix for files that nobody waits for. */
async function sweepUnawaited(
  prefix: string,
  remove: (fileId: FileId) => Promise<void>,
  { sql, objects }: SweepDeps,
): Promise<void> {
  const arrived = new Set<FileId>()
  for await (const { key } of objects.list(prefix))
    arrived.add(key.slice(prefix.length).split('/', 1)[0] as FileId)
  const fileIds = [...arrived]
  for (let i = 0; i < fileIds.length; i += 1000) {
    const batch = fileIds.slice(i, i + 1000)
    const awaited = await filesAwaitingUpload(sql, batch)
    for (const fileId of batch) if (!awaited.has(fileId)) await remove(fileId)
  }
}
