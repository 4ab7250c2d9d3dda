import { type ProjectScope, requireRoomFor, type StorageDeps } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { notFound } from '../base/errors.ts'
import type { FileId, ProjectId, VideoId } from '../base/ids.ts'
import { allowOperator } from '../base/operator.ts'
import type { TrashItem } from '../base/trash.ts'
import { restorePoster } from '../images/index.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { holdFiles, purgeFiles, untrashFile } from '../uploads/index.ts'
import { readVideo } from './read-videos.ts'
import type { Video } from './schemas.ts'
import * as store from './store.ts'

export interface RestoreDeps extends StorageDeps {
  /** Has made what a video does not have yet. */
  fill(tx: Transaction, file: { projectId: ProjectId; fileId: FileId }): Promise<void>
}

export async function listTrashedVideos(caller: Caller, sql: Sql): Promise<TrashItem[]> {
  allowOperator(caller)
  return store.listTrashed(sql)
}

/** A video with its renditions, poster, subtitles, tracks and chapters, and the posts that showed it. */
export async function restoreVideo(caller: Caller, videoId: VideoId, deps: RestoreDeps): Promise<void> {
  allowOperator(caller)
  const found = await store.findTrashed(deps.sql, videoId)
  if (!found) throw unknown(videoId)
  await bringBack(videoId, found, deps)
}

/** The same for whoever may delete it: a deletion that is taken back. */
export async function undeleteVideo(
  caller: Caller,
  scope: ProjectScope,
  videoId: VideoId,
  deps: RestoreDeps & { cdnUrl: CdnUrl },
): Promise<Video> {
  allow(caller, 'videos:delete', scope)
  const found = await store.findTrashed(deps.sql, videoId)
  if (found?.projectId !== scope.projectId) throw unknown(videoId)
  await bringBack(videoId, found, deps)
  const video = await readVideo(scope.projectId, videoId, deps)
  if (!video) throw unknown(videoId)
  return video
}

async function bringBack(videoId: VideoId, found: store.TrashedVideo, deps: RestoreDeps): Promise<void> {
  const { projectId, fileId, posterId, posterFileId } = found
  await requireRoomFor(found, deps)
  await deps.sql.begin(async (tx) => {
    await holdFiles(tx, [fileId, posterFileId])
    if (!(await store.restoreTrashed(tx, videoId))) throw unknown(videoId)
    await restorePoster(tx, posterId)
    for (const one of [fileId, posterFileId]) if (!(await untrashFile(tx, one))) throw unknown(videoId)
    await deps.fill(tx, { projectId, fileId })
  })
}

/** What is left to be made of all videos of a project that has come back. */
export async function fillProject(caller: Caller, projectId: ProjectId, deps: RestoreDeps): Promise<void> {
  allowOperator(caller)
  await deps.sql.begin(async (tx) => {
    for (const fileId of await store.filesOfProject(tx, projectId)) await deps.fill(tx, { projectId, fileId })
  })
}

/** A video in the trash goes for good. False where it is not there. */
export async function purgeVideo(caller: Caller, videoId: VideoId, sql: Sql): Promise<boolean> {
  allowOperator(caller)
  const found = await store.findTrashed(sql, videoId)
  if (!found) return false
  return (await purgeFiles(sql, { seconds: 0, only: [found.fileId, found.posterFileId] })) > 0
}

const unknown = (videoId: VideoId) => notFound(`there is no ${videoId} in the trash`)
