import { type ProjectScope, requireStorage, type StorageDeps } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { FileId, ImageId, ProjectId } from '../base/ids.ts'
import { defineQueue, type Handler, type JobQueue } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import {
  addImport,
  checkImport,
  type FetchDeps,
  IMPORT_SECONDS,
  type ImportDeps,
  importOf,
  nameIn,
  requireFewImports,
  runImport,
  type UploadDeps,
} from '../uploads/index.ts'
import { addImage } from './begin-image.ts'
import { type CompleteImageDeps, finishImage } from './complete-image.ts'
import type { ImageProgress, ImportedImage, ImportImage } from './schemas.ts'
import { fileOfImage, findImage } from './store.ts'

interface ImageImportPayload {
  projectId: ProjectId
  imageId: ImageId
  fileId: FileId
}

export const IMPORT_IMAGE = defineQueue<ImageImportPayload>('import-image')

/** Has the service fetch an image; it is made as that of an upload is. */
export async function importImage(
  caller: Caller,
  scope: ProjectScope,
  wanted: ImportImage,
  deps: UploadDeps & StorageDeps & ImportDeps & { jobs: Pick<JobQueue, 'enqueue'> },
): Promise<ImportedImage> {
  allow(caller, 'images:write', scope)
  const { projectId } = scope
  const { url } = wanted
  checkImport(url, deps)
  const { file_name = nameIn(url) } = wanted
  await requireStorage(projectId, deps)
  return deps.sql.begin(async (tx) => {
    await requireFewImports(tx, projectId)
    const awaited = { ...deps, lifetimeSeconds: IMPORT_SECONDS }
    const { image_id, upload_expires } = await addImage(tx, projectId, { file_name }, awaited)
    const fileId = (await fileOfImage(tx, projectId, image_id))!
    await addImport(tx, { fileId, projectId, url })
    await deps.jobs.enqueue(tx, IMPORT_IMAGE, fileId, { projectId, imageId: image_id, fileId })
    return { image_id, upload_expires, status: 'uploading' }
  })
}

export function imageImporter(
  deps: FetchDeps & CompleteImageDeps & { stopping: AbortSignal },
): Handler<ImageImportPayload> {
  return runImport(
    'image',
    ({ projectId, imageId }) => finishImage({ projectId, imageId, attachedToVideo: false }, deps),
    deps,
  )
}

/** How far an image is that the service fetches. */
export async function showImageProgress(
  caller: Caller,
  scope: ProjectScope,
  imageId: ImageId,
  sql: Sql,
): Promise<ImageProgress> {
  allow(caller, 'images:read', scope)
  const fileId = await fileOfImage(sql, scope.projectId, imageId)
  if (!fileId) throw notFound()
  const found = await importOf(sql, fileId)
  if (await findImage(sql, scope.projectId, imageId)) return { image_id: imageId, status: 'complete' }
  if (!found) throw notFound()
  const { failure, ...arrived } = found
  return {
    image_id: imageId,
    status: failure === undefined ? 'processing' : 'failed',
    ...(failure !== undefined && { reason: failure }),
    import: arrived,
  }
}
