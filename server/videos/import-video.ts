import { mediaDefaults, type ProjectScope, requireStorage, type StorageDeps } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { FileId, ProjectId, VideoId } from '../base/ids.ts'
import { defineQueue, type Handler, type JobQueue } from '../platform/jobs/port.ts'
import {
  addImport,
  checkImport,
  type FetchDeps,
  IMPORT_SECONDS,
  type ImportDeps,
  nameIn,
  requireFewImports,
  runImport,
  type UploadDeps,
} from '../uploads/index.ts'
import { addVideo } from './begin-video.ts'
import { type CompleteVideoDeps, finishVideo } from './complete-video.ts'
import type { ImportedVideo, ImportVideo } from './import-schemas.ts'
import { findUpload } from './store.ts'

interface VideoImportPayload {
  projectId: ProjectId
  videoId: VideoId
  fileId: FileId
}

export const IMPORT_VIDEO = defineQueue<VideoImportPayload>('import-video')

/** Has the service fetch a video; it is made as that of an upload is. */
export async function importVideo(
  caller: Caller,
  scope: ProjectScope,
  asked: ImportVideo,
  deps: UploadDeps & StorageDeps & ImportDeps & { jobs: Pick<JobQueue, 'enqueue'> },
): Promise<ImportedVideo> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  const { url, video_quality } = asked
  checkImport(url, deps)
  const { file_name = nameIn(url) } = asked
  await requireStorage(projectId, deps)
  const defaults = await mediaDefaults(deps.sql, projectId)
  if (!defaults) throw notFound()
  return deps.sql.begin(async (tx) => {
    await requireFewImports(tx, projectId)
    const awaited = { ...deps, lifetimeSeconds: IMPORT_SECONDS }
    const wanted = { file_name, ...(video_quality && { video_quality }) }
    const { video_presigned_url: _, ...begun } = await addVideo(tx, projectId, wanted, defaults, awaited)
    const { fileId } = (await findUpload(tx, projectId, begun.video_id))!
    await addImport(tx, { fileId, projectId, url })
    await deps.jobs.enqueue(tx, IMPORT_VIDEO, fileId, { projectId, videoId: begun.video_id, fileId })
    return { ...begun, status: 'uploading' }
  })
}

export function videoImporter(
  deps: FetchDeps & CompleteVideoDeps & { stopping: AbortSignal },
): Handler<VideoImportPayload> {
  return runImport('video', ({ projectId, videoId }) => finishVideo({ projectId, videoId }, deps), deps)
}
