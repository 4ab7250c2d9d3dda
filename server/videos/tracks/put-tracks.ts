import type { ProjectScope, StorageDeps } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import type { UseForm } from '../../base/form.ts'
import type { FileId, ProjectId, VideoId } from '../../base/ids.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import { requireRoom } from '../change-video.ts'
import { allLabelled, oneLabelled, readLanguage } from '../form-fields.ts'
import type { AudioTrack } from '../language-schemas.ts'
import { type ChangeTracksDeps, changeTracks } from './change-tracks.ts'
import { deleteTracks, insertTrack, nextPosition, type TrackRow } from './store.ts'
import { type StoredTrack, type StoreTracksDeps, withStoredTracks } from './store-tracks.ts'
import { toTrack } from './to-track.ts'

const MAX_BYTES = 500 * 2 ** 20
const MAX_FILES = 100
const ENDINGS = ['.mp3', '.opus', '.flac', '.wav', '.ac3', '.m4a', '.aac']

export interface TrackDeps extends ChangeTracksDeps, StoreTracksDeps, StorageDeps {
  sql: StorageDeps['sql']
  cdnUrl: CdnUrl
  /** Has the renditions made that a video does not have yet. */
  fill(tx: Transaction, file: { projectId: ProjectId; fileId: FileId }): Promise<void>
}

/** Adds the track of a language, or replaces the one there is. */
export async function putTrack(
  caller: Caller,
  scope: ProjectScope,
  { videoId, language: code, useForm }: { videoId: VideoId; language: string; useForm: UseForm },
  deps: TrackDeps,
): Promise<AudioTrack> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  const language = readLanguage(code, 'lang_code')
  await requireRoom(projectId, videoId, deps)
  return useForm({ maxBytes: MAX_BYTES, maxFiles: 1 }, (form) => {
    const wanted = [{ ...oneLabelled(form, language, ENDINGS), field: 'file' }]
    return withStoredTracks(projectId, videoId, wanted, deps, ([track]) =>
      changeTracks(projectId, videoId, deps, async (tx, fileId) => {
        const removed = await deleteTracks(tx, videoId, language)
        const position = removed[0]?.position ?? (await nextPosition(tx, videoId))
        const row = await insert(tx, videoId, track!, position)
        await deps.fill(tx, { projectId, fileId })
        return { removed, addedBytes: row.size, outcome: toTrack(row, projectId, fileId, deps.cdnUrl) }
      }),
    )
  })
}

/** Replaces all tracks of a video: a player sees those before or these, never some of both. */
export async function replaceTracks(
  caller: Caller,
  scope: ProjectScope,
  { videoId, useForm }: { videoId: VideoId; useForm: UseForm },
  deps: TrackDeps,
): Promise<AudioTrack[]> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  await requireRoom(projectId, videoId, deps)
  return useForm({ maxBytes: MAX_BYTES, maxFiles: MAX_FILES }, (form) => {
    const wanted = allLabelled(form, ENDINGS).map((labelled, i) => ({ ...labelled, field: `files[${i}]` }))
    return withStoredTracks(projectId, videoId, wanted, deps, (tracks) =>
      changeTracks(projectId, videoId, deps, async (tx, fileId) => {
        const removed = await deleteTracks(tx, videoId)
        const rows: TrackRow[] = []
        for (const [position, track] of tracks.entries())
          rows.push(await insert(tx, videoId, track, position))
        await deps.fill(tx, { projectId, fileId })
        return {
          removed,
          addedBytes: rows.reduce((sum, { size }) => sum + size, 0),
          outcome: rows.map((row) => toTrack(row, projectId, fileId, deps.cdnUrl)),
        }
      }),
    )
  })
}

async function insert(tx: Transaction, videoId: VideoId, track: StoredTrack, position: number) {
  const { id, format, language, label, file } = track
  await track.keep(tx)
  const { name, size } = file
  return insertTrack(tx, { id, videoId, position, language, label, name, format, size })
}
