import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { VideoId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Chapters } from '../schemas.ts'
import { chaptersOf } from '../store.ts'

export async function showChapters(
  caller: Caller,
  scope: ProjectScope,
  videoId: VideoId,
  { sql }: { sql: Sql },
): Promise<Chapters> {
  allow(caller, 'videos:read', scope)
  const chapters = await chaptersOf(sql, scope.projectId, videoId)
  if (!chapters) throw notFound()
  return { video_id: videoId, chapters }
}
