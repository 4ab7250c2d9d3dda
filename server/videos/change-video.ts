import { requireStorage, type StorageDeps } from '../access/index.ts'
import { notFound } from '../base/errors.ts'
import type { FileId, ProjectId, VideoId } from '../base/ids.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import { touchFile } from '../uploads/index.ts'
import { type CompletedVideo, fileOfVideo, findCompleted } from './store.ts'

/** Throws 404 unless the video was completed; 403 where its project may not keep more than it does. */
export async function requireRoom(projectId: ProjectId, videoId: VideoId, deps: StorageDeps): Promise<void> {
  await requireVideo(projectId, videoId, deps.sql)
  await requireStorage(projectId, deps)
}

export async function requireVideo(projectId: ProjectId, videoId: VideoId, sql: Queryable): Promise<FileId> {
  const fileId = await fileOfVideo(sql, projectId, videoId)
  if (!fileId) throw notFound()
  return fileId
}

/** Changes something about a video, all of it at once, while nobody else changes it or deletes it. */
export async function changeVideo<T>(
  projectId: ProjectId,
  videoId: VideoId,
  sql: Sql,
  change: (tx: Transaction, video: CompletedVideo) => Promise<T>,
): Promise<T> {
  const changed = await sql.begin(async (tx) => {
    const fileId = await requireVideo(projectId, videoId, tx)
    // Whoever else had hold of the file has let go by now; only what is read after this is true.
    const video = (await touchFile(tx, fileId)) && (await findCompleted(tx, videoId))
    if (!video) throw notFound()
    return { outcome: await change(tx, video) }
  })
  return (changed as { outcome: T }).outcome
}
