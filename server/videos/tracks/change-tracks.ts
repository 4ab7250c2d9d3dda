import type { FileId, ProjectId, VideoId } from '../../base/ids.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import {
  addStoredBytes,
  releaseObjects,
  removeOrphans,
  renditionPrefix,
  trackPrefix,
} from '../../uploads/index.ts'
import { changeVideo } from '../change-video.ts'
import type { DeletedTrack } from './store.ts'

export interface ChangeTracksDeps {
  sql: Sql
  objects: ObjectStore
  transcoder: {
    /** Forgets the segments of a rendition that is gone, and gives their bytes back. */
    dropRendition(tx: Transaction, fileId: FileId, rendition: string): Promise<void>
  }
}

interface TrackChange<T> {
  removed: DeletedTrack[]
  addedBytes: number
  outcome: T
}

/** Changes the tracks of a video in one transaction; what was made of those that went goes after it. */
export async function changeTracks<T>(
  projectId: ProjectId,
  videoId: VideoId,
  deps: ChangeTracksDeps,
  change: (tx: Transaction, fileId: FileId) => Promise<TrackChange<T>>,
): Promise<T> {
  const { outcome, orphans } = await changeVideo(projectId, videoId, deps.sql, async (tx, { fileId }) => {
    const { removed, addedBytes, outcome } = await change(tx, fileId)
    const removedBytes = removed.reduce((sum, { size }) => sum + size, 0)
    await addStoredBytes(tx, fileId, addedBytes - removedBytes)
    const orphans: string[] = []
    for (const { id } of removed) {
      await deps.transcoder.dropRendition(tx, fileId, id)
      orphans.push(trackPrefix(projectId, fileId, id), renditionPrefix(projectId, fileId, id))
    }
    for (const prefix of orphans) await releaseObjects(tx, prefix)
    return { outcome, orphans }
  })
  // Should this fail, the sweep does it later.
  await removeOrphans(orphans, deps).catch(() => {})
  return outcome
}
