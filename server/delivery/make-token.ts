import type { PlaybackTokens, ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { badRequest, notFound } from '../base/errors.ts'
import { type ImageId, isId, type VideoId } from '../base/ids.ts'
import { findImage, isPoster } from '../images/index.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { fileOfVideo } from '../videos/index.ts'
import type { NewPlaybackToken, PlaybackToken } from './playback-schemas.ts'

export interface MakeTokenDeps {
  sql: Sql
  playbackTokens: PlaybackTokens
}

const USUAL_SECONDS = 3600

/** A token that opens a video with all that belongs to it, an image, or, where neither is named, all media of the project. */
export async function makeToken(
  caller: Caller,
  scope: ProjectScope,
  { mediaId, wanted }: { mediaId: VideoId | ImageId | undefined; wanted: NewPlaybackToken },
  deps: MakeTokenDeps,
): Promise<PlaybackToken> {
  if (!mediaId || isId('video', mediaId)) allow(caller, 'videos:read', scope)
  if (!mediaId || isId('image', mediaId)) allow(caller, 'images:read', scope)
  if (mediaId) await requireMedia(scope, mediaId, deps.sql)
  const { ttl = USUAL_SECONDS, viewer, max_height: maxHeight } = wanted
  const expiresAt = Math.floor(Date.now() / 1000) + ttl
  const { projectId } = scope
  const claims = { subject: mediaId ?? projectId, projectId, expiresAt, viewer, maxHeight }
  const token = await deps.playbackTokens.sign({ ...claims, origins: wanted.origins?.map(originOf) })
  return { token, expires_at: new Date(expiresAt * 1000).toISOString() }
}

async function requireMedia(
  { projectId }: ProjectScope,
  mediaId: VideoId | ImageId,
  sql: Sql,
): Promise<void> {
  if (isId('video', mediaId)) {
    if (!(await fileOfVideo(sql, projectId, mediaId))) throw notFound()
    return
  }
  if (!(await findImage(sql, projectId, mediaId))) throw notFound()
  if (await isPoster(sql, projectId, mediaId))
    throw badRequest('a poster is opened by a token of its video: ask for one there')
}

/** As browsers write it. */
function originOf(given: string): string {
  if (!URL.canParse(given)) throw badRequest(`body.origins: ${given} is no origin`)
  return new URL(given).origin
}
