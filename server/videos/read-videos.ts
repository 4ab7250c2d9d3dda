import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { LANGUAGES } from './languages.ts'
import type { Video, VideoPage } from './schemas.ts'
import * as store from './store.ts'

interface ReadDeps {
  sql: Sql
  cdnUrl: string
}

export async function showVideo(
  caller: Caller,
  scope: ProjectScope,
  videoId: string,
  { sql, cdnUrl }: ReadDeps,
): Promise<Video> {
  allow(caller, 'videos:read', scope)
  const video = await store.findVideo(sql, scope.projectId, videoId, cdnUrl)
  if (!video) throw notFound()
  return video
}

export async function listVideos(
  caller: Caller,
  scope: ProjectScope,
  page: VideoPage,
  { sql, cdnUrl }: ReadDeps,
) {
  allow(caller, 'videos:read', scope)
  return store.listVideos(sql, scope.projectId, page, cdnUrl)
}

/** The languages to offer for subtitles and audio tracks. */
export function listLanguages(caller: Caller, scope: ProjectScope): { code: string; name: string }[] {
  allow(caller, 'videos:read', scope)
  return LANGUAGES
}
