import type { FileId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { failFile, restoreFile } from '../uploads/index.ts'
import { clearFailure, setFailure } from './store.ts'

/** What is left of a video's processing cannot be done; it is not served any more, and says why. */
export async function failVideo(sql: Sql, fileId: FileId, reason: string): Promise<void> {
  await sql.begin(async (tx) => {
    await failFile(tx, fileId)
    await setFailure(tx, fileId, reason)
  })
}

/** Takes that back, where it was said: the rest is tried once more, and the video served meanwhile. */
export async function clearVideoFailure(sql: Sql, fileId: FileId): Promise<void> {
  await sql.begin(async (tx) => {
    if (await clearFailure(tx, fileId)) await restoreFile(tx, fileId)
  })
}
