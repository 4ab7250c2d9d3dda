import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { notFound } from '../base/errors.ts'
import type { VideoId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { fileChangesOf, updateFile } from '../uploads/index.ts'
import { changeVideo } from './change-video.ts'
import { readVideo } from './read-videos.ts'
import type { Video, VideoChanges } from './schemas.ts'

/** Names and describes a video, and says who may see it; what is left out stays. */
export async function updateVideo(
  caller: Caller,
  scope: ProjectScope,
  { videoId, changes }: { videoId: VideoId; changes: VideoChanges },
  deps: { sql: Sql; cdnUrl: CdnUrl },
): Promise<Video> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  await changeVideo(projectId, videoId, deps.sql, (tx, { fileId }) =>
    updateFile(tx, fileId, fileChangesOf(changes)),
  )
  const video = await readVideo(projectId, videoId, deps)
  if (!video) throw notFound()
  return video
}
