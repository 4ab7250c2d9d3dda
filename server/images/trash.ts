import { type ProjectScope, requireRoomFor, type StorageDeps } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { notFound } from '../base/errors.ts'
import type { ImageId } from '../base/ids.ts'
import { allowOperator } from '../base/operator.ts'
import type { TrashItem } from '../base/trash.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { holdFiles, purgeFiles, untrashFile } from '../uploads/index.ts'
import { OPTIMISE } from './optimise-image.ts'
import type { Image } from './schemas.ts'
import * as store from './store.ts'
import { imageOf } from './to-image.ts'

interface RestoreImageDeps extends StorageDeps {
  jobs: Pick<JobQueue, 'enqueue'>
}

export async function listTrashedImages(caller: Caller, sql: Sql): Promise<TrashItem[]> {
  allowOperator(caller)
  return store.listTrashed(sql)
}

/** An image, and the posts that showed it. What was a poster when it was deleted is an image by itself now. */
export async function restoreImage(caller: Caller, imageId: ImageId, deps: RestoreImageDeps): Promise<void> {
  allowOperator(caller)
  const found = await store.findTrashed(deps.sql, imageId)
  if (!found) throw unknown(imageId)
  await bringBack(imageId, found, deps)
}

/** The same for whoever may delete it: a deletion that is taken back. */
export async function undeleteImage(
  caller: Caller,
  scope: ProjectScope,
  imageId: ImageId,
  deps: RestoreImageDeps & { cdnUrl: CdnUrl },
): Promise<Image> {
  allow(caller, 'images:delete', scope)
  const found = await store.findTrashed(deps.sql, imageId)
  if (found?.projectId !== scope.projectId) throw unknown(imageId)
  await bringBack(imageId, found, deps)
  const image = await store.findImage(deps.sql, scope.projectId, imageId)
  if (!image) throw unknown(imageId)
  return imageOf(image, deps.cdnUrl)
}

async function bringBack(imageId: ImageId, found: store.TrashedImage, deps: RestoreImageDeps): Promise<void> {
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
