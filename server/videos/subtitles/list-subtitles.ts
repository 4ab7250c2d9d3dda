import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import type { VideoId } from '../../base/ids.ts'
import { type Part, partOf } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { requireVideo } from '../change-video.ts'
import type { Subtitle } from '../language-schemas.ts'
import * as store from './store.ts'
import { toSubtitle } from './to-subtitle.ts'

/** The subtitles of a video, in the order that players offer them in. */
export async function listSubtitles(
  caller: Caller,
  scope: ProjectScope,
  { videoId, part }: { videoId: VideoId; part: Part },
  { sql, cdnUrl }: { sql: Sql; cdnUrl: CdnUrl },
): Promise<{ data: Subtitle[] }> {
  allow(caller, 'videos:read', scope)
  const { projectId } = scope
  const fileId = await requireVideo(projectId, videoId, sql)
  const rows = partOf(await store.listSubtitles(sql, videoId), part)
  return { data: rows.map((row) => toSubtitle(row, projectId, fileId, cdnUrl)) }
}
