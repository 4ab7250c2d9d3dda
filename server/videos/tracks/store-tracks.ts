import { badRequest, unavailable } from '../../base/errors.ts'
import type { ProjectId, TrackId, VideoId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { UnsupportedVideo } from '../../media/video/errors.ts'
import { type AudioFormat, probeAudio } from '../../media/video/probe-audio.ts'
import type { MediaTools } from '../../media/video/program.ts'
import { blankTags } from '../../media/video/tags/blank-tags.ts'
import { StorageFull } from '../../platform/objects/errors.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { announceObjects, keepObjects, removeOrphans, trackKey, trackPrefix } from '../../uploads/index.ts'
import { requireVideo } from '../change-video.ts'
import type { Labelled } from '../form-fields.ts'

export interface StoreTracksDeps {
  sql: Sql
  objects: ObjectStore
  tools: MediaTools
}

interface WantedTrack extends Labelled {
  /** How the client knows the file. */
  field: string
}

export interface StoredTrack extends Labelled {
  id: TrackId
  format: AudioFormat
  /** To be called by the transaction that writes the track down. */
  keep(tx: Transaction): Promise<void>
}

/** Stores files that are audio for somebody who writes them down; where they do not, nothing stays. */
export async function withStoredTracks<T>(
  projectId: ProjectId,
  videoId: VideoId,
  wanted: WantedTrack[],
  deps: StoreTracksDeps,
  use: (tracks: StoredTrack[]) => Promise<T>,
): Promise<T> {
  const fileId = await requireVideo(projectId, videoId, deps.sql)
  const prefixes: string[] = []
  try {
    const tracks: StoredTrack[] = []
    // All are looked at before any is stored: mostly it is one of many that is wrong.
    for (const one of wanted) {
      const id = newId('track')
      const prefix = trackPrefix(projectId, fileId, id)
      const { format, size } = await prepare(one, deps.tools)
      tracks.push({ ...one, file: { ...one.file, size }, id, format, keep: (tx) => keep(tx, prefix) })
    }
    for (const { id, file } of tracks) {
      const prefix = trackPrefix(projectId, fileId, id)
      await announceObjects(deps.sql, prefix)
      prefixes.push(prefix)
      await deps.objects.putFile(trackKey(projectId, fileId, id), file.path)
    }
    return await use(tracks)
  } catch (error) {
    // Should this fail, the sweep does it later.
    await removeOrphans(prefixes, deps).catch(() => {})
    throw error instanceof StorageFull ? unavailable('the storage is full') : error
  }
}

/** Finds out what it is, and takes out what it says of itself: viewers get the file, and nothing of that. */
async function prepare({ file, field }: WantedTrack, tools: MediaTools) {
  try {
    const { format } = await probeAudio(tools, file.path)
    return { format, size: await blankTags(file.path, format) }
  } catch (error) {
    if (error instanceof UnsupportedVideo) throw badRequest(`${field}: ${error.message}`)
    throw error
  }
}

async function keep(tx: Transaction, prefix: string): Promise<void> {
  if (!(await keepObjects(tx, prefix))) throw unavailable('it took too long; send it again')
}
