import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { notFound } from '../base/errors.ts'
import type { VideoId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { Transcoder } from '../transcoding/index.ts'
import { folderUrl } from '../uploads/index.ts'
import { fileOfVideo } from '../videos/index.ts'
import { storyboardTrack } from './storyboard.ts'

/** The storyboard of a video; its sprite sheets are delivered like all media. */
export async function showStoryboard(
  caller: Caller,
  scope: ProjectScope,
  { videoId, token }: { videoId: VideoId; token: string | undefined },
  { sql, transcoder, cdnUrl }: { sql: Sql; transcoder: Pick<Transcoder, 'presentations'>; cdnUrl: CdnUrl },
): Promise<string> {
  allow(caller, 'videos:read', scope)
  const { projectId } = scope
  const fileId = await fileOfVideo(sql, projectId, videoId)
  const plan = fileId && (await transcoder.presentations.planOf(fileId))
  if (!plan) throw notFound()
  const query = token ? `?token=${encodeURIComponent(token)}` : ''
  return storyboardTrack(plan, folderUrl(cdnUrl, projectId, fileId!), query)
}
