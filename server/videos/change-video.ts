import { requireStorage, type StorageDeps } from '../access/projects/require-storage.ts'
import { notFound } from '../base/errors.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import { touchFile } from '../uploads/files.ts'
import { type CompletedVideo, fileOfVideo, findCompleted } from './store.ts'

/** Throws 404 unless the video was completed; 403 where its project may not keep more than it does. */
export async function requireRoom(projectId: string, videoId: string, deps: StorageDeps): Promise<void> {
  await requireVideo(projectId, videoId, deps.sql)
  await requireStorage(projectId, deps)
}

export async function requireVideo(projectId: string, videoId: string, sql: Queryable): Promise<string> {
  const fileId = await fileOfVideo(sql, projectId, videoId)
  if (!fileId) throw notFound()
  return fileId
}

/** Changes something about a video, all of it at once, while nobody else changes it or deletes it. */
export async function changeVideo<T>(
  projectId: string,
  videoId: string,
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
