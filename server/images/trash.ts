import { requireRoomFor, type StorageDeps } from '../access/index.ts'
import type { Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { ImageId } from '../base/ids.ts'
import { allowOperator } from '../base/operator.ts'
import type { TrashItem } from '../base/trash.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { holdFiles, purgeFiles, untrashFile } from '../uploads/index.ts'
import { OPTIMISE } from './optimise-image.ts'
import * as store from './store.ts'

export async function listTrashedImages(caller: Caller, sql: Sql): Promise<TrashItem[]> {
  allowOperator(caller)
  return store.listTrashed(sql)
}

/** An image, and the posts that showed it. What was a poster when it was deleted is an image by itself now. */
export async function restoreImage(
  caller: Caller,
  imageId: ImageId,
  deps: StorageDeps & { jobs: Pick<JobQueue, 'enqueue'> },
): Promise<void> {
  allowOperator(caller)
  const found = await store.findTrashed(deps.sql, imageId)
  if (!found) throw unknown(imageId)
  const { projectId, fileId } = found
  await requireRoomFor(found, deps)
  await deps.sql.begin(async (tx) => {
    await holdFiles(tx, [fileId])
    if (!(await store.restoreTrashed(tx, imageId)) || !(await untrashFile(tx, fileId))) throw unknown(imageId)
    // It may have been cut off half-way; it also removes what it left behind then.
    await deps.jobs.enqueue(tx, OPTIMISE, fileId, { projectId, fileId })
  })
}

/** An image in the trash goes for good. False where it is not there. */
export async function purgeImage(caller: Caller, imageId: ImageId, sql: Sql): Promise<boolean> {
  allowOperator(caller)
  const found = await store.findTrashed(sql, imageId)
  if (!found) return false
  return (await purgeFiles(sql, { seconds: 0, only: [found.fileId] })) > 0
}

const unknown = (imageId: ImageId) => notFound(`there is no ${imageId} in the trash`)
