import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { VideoId } from '../../base/ids.ts'
import type { Deletion } from '../language-schemas.ts'
import { canonicalLanguage } from '../languages.ts'
import { type ChangeTracksDeps, changeTracks } from './change-tracks.ts'
import * as store from './store.ts'

/** Deletes the track of this id or language, or, where none is named, all that a video has. */
export async function deleteTracks(
  caller: Caller,
  scope: ProjectScope,
  { videoId, track }: { videoId: VideoId; track?: string },
  deps: ChangeTracksDeps,
): Promise<Deletion> {
  allow(caller, 'videos:write', scope)
  return changeTracks(scope.projectId, videoId, deps, async (tx) => {
    const which = track && (canonicalLanguage(track) ?? track)
    const removed = await store.deleteTracks(tx, videoId, which)
    if (track && removed.length === 0) throw notFound()
    const message = track ? 'Audio track deleted' : 'All audio tracks deleted'
    return { removed, addedBytes: 0, outcome: { message, status: 'success' } }
  })
}
