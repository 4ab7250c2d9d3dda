import type { Sql } from '../platform/postgres/client.ts'
import { failFile } from '../uploads/files.ts'
import { setFailure } from './store.ts'

/** What is left of a video's processing cannot be done; it is not served any more, and says why. */
export async function failVideo(sql: Sql, fileId: string, reason: string): Promise<void> {
  await sql.begin(async (tx) => {
    await failFile(tx, fileId)
    await setFailure(tx, fileId, reason)
  })
}
