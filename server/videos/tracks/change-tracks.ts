import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { addStoredBytes } from '../../uploads/files.ts'
import { renditionPrefix, trackPrefix } from '../../uploads/keys.ts'
import { letGoOfObjects, removeLoose } from '../../uploads/loose-objects.ts'
import { changeVideo } from '../change-video.ts'
import type { DeletedTrack } from './store.ts'

export interface ChangeTracksDeps {
  sql: Sql
  objects: ObjectStore
  player: {
    /** Forgets the segments of a rendition that is gone, and gives their bytes back. */
    dropRendition(tx: Transaction, fileId: string, rendition: string): Promise<void>
  }
}

interface Change<T> {
  removed: DeletedTrack[]
  addedBytes: number
  outcome: T
}

/** Changes the tracks of a video in one transaction; what was made of those that went goes after it. */
export async function changeTracks<T>(
  projectId: string,
  videoId: string,
  deps: ChangeTracksDeps,
  change: (tx: Transaction, fileId: string) => Promise<Change<T>>,
): Promise<T> {
  const { outcome, loose } = await changeVideo(projectId, videoId, deps.sql, async (tx, { fileId }) => {
    const { removed, addedBytes, outcome } = await change(tx, fileId)
    const removedBytes = removed.reduce((sum, { size }) => sum + size, 0)
    await addStoredBytes(tx, fileId, addedBytes - removedBytes)
    const loose: string[] = []
    for (const { id } of removed) {
      await deps.player.dropRendition(tx, fileId, id)
      loose.push(trackPrefix(projectId, fileId, id), renditionPrefix(projectId, fileId, id))
    }
    for (const prefix of loose) await letGoOfObjects(tx, prefix)
    return { outcome, loose }
  })
  // Should this fail, the sweep does it later.
  await removeLoose(loose, deps).catch(() => {})
  return outcome
}
