import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { VideoId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { addStoredBytes } from '../../uploads/index.ts'
import { changeVideo } from '../change-video.ts'
import type { Deletion } from '../language-schemas.ts'
import { canonicalLanguage } from '../languages.ts'
import * as store from './store.ts'

/** Deletes the subtitles of this id or language, or, where none is named, all that a video has. */
export async function deleteSubtitles(
  caller: Caller,
  scope: ProjectScope,
  { videoId, subtitle }: { videoId: VideoId; subtitle?: string },
  { sql }: { sql: Sql },
): Promise<Deletion> {
  allow(caller, 'videos:write', scope)
  return changeVideo(scope.projectId, videoId, sql, async (tx, { fileId }) => {
    const which = subtitle && (canonicalLanguage(subtitle) ?? subtitle)
    const old = await store.deleteSubtitles(tx, videoId, which)
    if (subtitle && old.length === 0) throw notFound()
    await addStoredBytes(tx, fileId, -old.reduce((sum, { bytes }) => sum + bytes, 0))
    return { message: subtitle ? 'Subtitle deleted' : 'All subtitles deleted', status: 'success' }
  })
}
