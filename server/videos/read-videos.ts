import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { notFound } from '../base/errors.ts'
import type { ProjectId, VideoId } from '../base/ids.ts'
import { type MediaFilter, saidOf } from '../base/media.ts'
import { findPosters, type Image, imageOf } from '../images/index.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { toFile } from '../uploads/index.ts'
import { LANGUAGES } from './languages.ts'
import type { Video, VideoPage } from './schemas.ts'
import * as store from './store.ts'

interface ReadVideosDeps {
  sql: Sql
  cdnUrl: CdnUrl
}

export async function showVideo(
  caller: Caller,
  scope: ProjectScope,
  videoId: VideoId,
  { sql, cdnUrl }: ReadVideosDeps,
): Promise<Video> {
  allow(caller, 'videos:read', scope)
  const video = await readVideo(scope.projectId, videoId, { sql, cdnUrl })
  if (!video) throw notFound()
  return video
}

export async function listVideos(
  caller: Caller,
  scope: ProjectScope,
  page: VideoPage & MediaFilter,
  { sql, cdnUrl }: ReadVideosDeps,
) {
  allow(caller, 'videos:read', scope)
  const { rows, ...total } = await store.listVideos(sql, scope.projectId, page)
  return { videos: await withPosters(rows, { sql, cdnUrl }), total }
}

/** A video that was completed, with its poster. For whoever has asked for permission. */
export async function readVideo(
  projectId: ProjectId,
  videoId: VideoId,
  deps: ReadVideosDeps,
): Promise<Video | undefined> {
  const row = await store.findVideo(deps.sql, projectId, videoId)
  return row && (await withPosters([row], deps))[0]
}

async function withPosters(rows: store.VideoRow[], deps: ReadVideosDeps): Promise<Video[]> {
  if (rows.length === 0) return []
  const { sql, cdnUrl } = deps
  const found = await findPosters(
    sql,
    rows.map((row) => row.poster_id),
  )
  const posters = new Map(found.map((row) => [row.id, row]))
  const videos = rows.map((row) => {
    const poster = posters.get(row.poster_id)
    // It was exchanged, or went with its video, after the video was read: so that is read again.
    return poster ? videoOf(row, imageOf(poster, cdnUrl), cdnUrl) : readVideo(row.project_id, row.id, deps)
  })
  return (await Promise.all(videos)).filter((video) => video !== undefined)
}

/** A video around its file and its poster, as videos and posts show it. */
export function toVideo<File, Poster>(video: store.VideoFields, file: File, poster: Poster) {
  const { id, duration, width, height, bitrate, codec, framerate, hdr, plan_type, chapters, created_at } =
    video
  const facts = { duration, width, height, bitrate, codec, framerate, hdr, plan_type, chapters }
  return { id, file, poster, ...facts, created_at }
}

function videoOf(row: store.VideoRow, poster: Image, cdnUrl: CdnUrl): Video {
  const { file_created_at: created_at, updated_at } = row
  const file = { ...toFile({ ...row, id: row.file_id }, cdnUrl), created_at, updated_at }
  return { ...toVideo(row, file, poster), ...saidOf(row) }
}

/** The languages to offer for subtitles and audio tracks. */
export function listLanguages(caller: Caller, scope: ProjectScope): { code: string; name: string }[] {
  allow(caller, 'videos:read', scope)
  return LANGUAGES
}
