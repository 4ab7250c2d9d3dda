import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { badRequest } from '../../base/errors.ts'
import type { VideoId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { changeVideo } from '../change-video.ts'
import type { Chapters, NewChapters } from '../schemas.ts'
import { updateChapters } from '../store.ts'
import { toChapters } from './to-chapters.ts'

/** Replaces the chapters of a video; with none, it has none. */
export async function setChapters(
  caller: Caller,
  scope: ProjectScope,
  { videoId, marks }: { videoId: VideoId; marks: NewChapters['chapters'] },
  { sql }: { sql: Sql },
): Promise<Chapters> {
  allow(caller, 'videos:write', scope)
  return changeVideo(scope.projectId, videoId, sql, async (tx, { duration }) => {
    for (const [i, { start_time_sec: start }] of marks.entries()) {
      const field = `body.chapters[${i}].start_time_sec`
      if (start >= duration) throw badRequest(`${field}: the video ends at ${duration}`)
      const before = marks[i - 1]?.start_time_sec ?? -1
      if (start <= before)
        throw badRequest(`${field}: must be later than ${before}, where the one before begins`)
    }
    const chapters = toChapters(
      marks.map(({ title, start_time_sec }) => ({ title, start_time_sec })),
      duration,
    )
    await updateChapters(tx, videoId, chapters)
    return { video_id: videoId, chapters }
  })
}
