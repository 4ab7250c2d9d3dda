import type { ProjectScope } from '../../access/projects/resolve-project.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Player } from '../../playback/hls/player.ts'
import { storyboardTrack } from '../../playback/hls/storyboard.ts'
import { fileOfVideo } from '../store.ts'

/** The storyboard of a video; its sprite sheets are delivered like all media. */
export async function showStoryboard(
  caller: Caller,
  scope: ProjectScope,
  videoId: string,
  { sql, player, cdnUrl }: { sql: Sql; player: Pick<Player, 'presentations'>; cdnUrl: string },
): Promise<string> {
  allow(caller, 'videos:read', scope)
  const { projectId } = scope
  const fileId = await fileOfVideo(sql, projectId, videoId)
  const plan = fileId && (await player.presentations.planOf(fileId))
  if (!plan) throw notFound()
  return storyboardTrack(plan, `${cdnUrl}/${projectId}/${fileId}/`)
}
