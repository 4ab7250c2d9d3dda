import type { ProjectScope } from '../access/index.ts'
import type { SingleFlight } from '../base/async/single-flight.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { FileId, ImageId, ProjectId } from '../base/ids.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { completeOnce, originalKey, settleFile, takeUploaded } from '../uploads/index.ts'
import { type ConversionDeps, FAST, makeAvif } from './make-avif.ts'
import { OPTIMISE } from './optimise-image.ts'
import type { Image } from './schemas.ts'
import { describeImage, fileOfImage, findImage } from './store.ts'
import { imageOf } from './to-image.ts'

export interface CompleteImageDeps extends ConversionDeps {
  sql: Sql
  jobs: JobQueue
  cdnUrl: CdnUrl
  /** One piece of work for each image at a time; the others share its outcome. */
  singleFlight: SingleFlight
}

/** Makes an image of what was uploaded. Asking again answers the same image. */
export async function completeImage(
  caller: Caller,
  scope: ProjectScope,
  { imageId, attachedToVideo }: { imageId: ImageId; attachedToVideo: boolean },
  deps: CompleteImageDeps,
): Promise<Image> {
  allow(caller, 'images:write', scope)
  return finishImage({ projectId: scope.projectId, imageId, attachedToVideo }, deps)
}

interface UnfinishedImage {
  projectId: ProjectId
  imageId: ImageId
  attachedToVideo: boolean
  /** What is to happen in the transaction that makes it ready. */
  alongside?: (tx: Transaction) => Promise<void>
}

/** For whoever has asked for permission. */
export async function finishImage(unfinished: UnfinishedImage, deps: CompleteImageDeps): Promise<Image> {
  const { projectId, imageId } = unfinished
  const ready = await findImage(deps.sql, projectId, imageId)
  if (ready) return imageOf(ready, deps.cdnUrl)
  const fileId = await fileOfImage(deps.sql, projectId, imageId)
  if (!fileId) throw notFound('no such upload')
  await deps.singleFlight(imageId, () =>
    completeOnce(fileId, deps.sql, () => makeReady({ ...unfinished, fileId }, deps)),
  )
  const image = await findImage(deps.sql, projectId, imageId)
  if (!image) throw notFound('it was deleted meanwhile')
  return imageOf(image, deps.cdnUrl)
}

async function makeReady(
  { projectId, fileId, imageId, attachedToVideo, alongside }: UnfinishedImage & { fileId: FileId },
  deps: CompleteImageDeps,
): Promise<void> {
  const uploadedBytes = await takeUploaded({ projectId, fileId, kind: 'image' }, deps)
  if (uploadedBytes === undefined) throw notFound('nothing was uploaded to the address yet')
  const avif = await makeAvif(
    { projectId, fileId, name: FAST, effort: 0, priority: 'interactive' },
    deps,
  ).catch(async (error) => {
    if (!(error instanceof UnsupportedImage)) throw error
    // Not an image: nothing of it is kept, and another file may be sent to the same address.
    await deps.objects.delete(originalKey(projectId, fileId))
    throw badRequest(error.message)
  })
  await deps.sql.begin(async (tx) => {
    const settled = await settleFile(tx, fileId, {
      format: avif.format,
      objectKey: avif.objectKey,
      size: avif.size,
      etag: avif.etag,
      addedBytes: uploadedBytes + avif.size,
    })
    if (!settled) throw notFound('it was deleted meanwhile')
    await describeImage(tx, imageId, { ...avif, attachedToVideo })
    await deps.jobs.enqueue(tx, OPTIMISE, fileId, { projectId, fileId })
    await alongside?.(tx)
  })
}
