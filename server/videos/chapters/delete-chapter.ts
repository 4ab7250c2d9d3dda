import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { VideoId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { changeVideo } from '../change-video.ts'
import type { Chapters } from '../schemas.ts'
import { chaptersOf, updateChapters } from '../store.ts'
import { withoutChapter } from './to-chapters.ts'

/** Removes one chapter by its place, counted from 0, and answers those that remain. */
export async function deleteChapter(
  caller: Caller,
  scope: ProjectScope,
  { videoId, index }: { videoId: VideoId; index: number },
  { sql }: { sql: Sql },
): Promise<Chapters> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  return changeVideo(projectId, videoId, sql, async (tx, { duration }) => {
    const before = (await chaptersOf(tx, projectId, videoId)) ?? []
    if (index >= before.length)
      throw notFound(`the video has ${before.length} chapters, and they are counted from 0`)
    const chapters = withoutChapter(before, index, duration)
    await updateChapters(tx, videoId, chapters)
    return { video_id: videoId, chapters }
  })
}
