import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { VideoId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type Presentations, progressOf } from '../transcoding/index.ts'
import { importOf } from '../uploads/index.ts'
import type { Progress } from './schemas.ts'
import { fileOfVideo, findUpload, outcomeOf, setProcessed } from './store.ts'

export interface ProgressDeps {
  sql: Sql
  presentations: Presentations
}

const UNFINISHED = 99.9

/** How far the making of a video's renditions has come. It plays all the while. */
export async function showProgress(
  caller: Caller,
  scope: ProjectScope,
  videoId: VideoId,
  deps: ProgressDeps,
): Promise<Progress> {
  allow(caller, 'videos:read', scope)
  const { projectId } = scope
  const fileId = await fileOfVideo(deps.sql, projectId, videoId)
  const progress = fileId && (await progressOf({ projectId, fileId }, deps))
  if (!progress) return importProgress(scope, videoId, deps.sql)
  const { renditions, notes, isSettled } = progress
  const { failure, processed } = (await outcomeOf(deps.sql, fileId)) ?? {}
  const made = renditions.reduce((sum, one) => sum + one.segments_made, 0)
  const all = renditions.reduce((sum, one) => sum + one.segments, 0)
  const status = failure ? 'failed' : isSettled ? 'complete' : 'processing'
  // Before anybody hears that it is complete: who deletes it then has `video.processed` before `video.deleted`.
  if (status === 'complete' && !processed) await setProcessed(deps.sql, fileId)
  const percent = all > 0 ? Math.floor((made * 1000) / all) / 10 : 100
  return {
    video_id: videoId,
    status,
    ...(failure ? { reason: failure } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    // All of it means that nothing is left to be done, and not that the last segment is there.
    percent: status === 'processing' ? Math.min(percent, UNFINISHED) : percent,
    renditions,
  }
}

/** Of a video that the service fetches, before there is anything to be made of it. */
async function importProgress({ projectId }: ProjectScope, videoId: VideoId, sql: Sql): Promise<Progress> {
  const upload = await findUpload(sql, projectId, videoId)
  const found = upload && (await importOf(sql, upload.fileId))
  if (!found) throw notFound()
  const { failure, ...arrived } = found
  return {
    video_id: videoId,
    status: failure === undefined ? 'processing' : 'failed',
    ...(failure !== undefined && { reason: failure }),
    percent: 0,
    renditions: [],
    import: arrived,
  }
}

/** The progress each time it has changed, until there is nothing more to come or nobody listens. */
export async function* followProgress(
  show: () => Promise<Progress>,
  signal: AbortSignal,
  pause: (signal: AbortSignal) => Promise<void>,
): AsyncGenerator<Progress> {
  let last = ''
  while (!signal.aborted) {
    const progress = await show()
    const text = JSON.stringify(progress)
    if (text !== last) yield progress
    last = text
    if (progress.status !== 'processing') return
    await pause(signal)
  }
}
