import { LRUCache } from 'lru-cache'
import { type PlaybackTokens, refusedToken } from '../access/index.ts'
import type { FileId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { mediaOfFile, type ServableFile } from '../uploads/index.ts'

/** What comes with a request that may open private media. */
export interface ShownToken {
  token: string | undefined
  /** Of the page that asks, where a browser says so. */
  origin: string | undefined
}

/** How somebody may see private media. */
export interface Viewing {
  /** Addresses in playlists carry it on. */
  token: string
  /** Of renditions. */
  maxHeight: number | undefined
  secondsLeft: number
}

export interface AdmitDeps {
  playbackTokens: PlaybackTokens
  /** The video or the image that a file belongs to. */
  mediaOf: (fileId: FileId) => Promise<string | undefined>
}

const REMEMBERED = { max: 10_000, ttl: 1000 }

/** Remembered for a moment: every segment asks, and only a poster that its video has no more comes to be an image by itself. */
export function mediaByFile(sql: Sql): AdmitDeps['mediaOf'] {
  const known = new LRUCache<FileId, Promise<string | undefined>>(REMEMBERED)
  return (fileId) => {
    const found = known.get(fileId) ?? mediaOfFile(sql, fileId)
    if (!known.has(fileId)) {
      known.set(fileId, found)
      found.catch(() => known.delete(fileId))
    }
    return found
  }
}

/** Undefined for media that everybody may see; throws 403 with the reason where a token is needed that was not shown. */
export async function admit(
  file: ServableFile,
  { token, origin }: ShownToken,
  { playbackTokens: tokens, mediaOf }: AdmitDeps,
): Promise<Viewing | undefined> {
  if (file.visibility !== 'private') return undefined
  if (!token) throw refusedToken('this is private, and its address needs one')
  const { subject, origins, maxHeight, expiresAt } = await tokens.read(token, file.project_id)
  if (subject !== file.project_id && subject !== (await mediaOf(file.id)))
    throw refusedToken('is for another video or image')
  if (origins && !(origin && origins.includes(origin))) throw refusedToken('is for pages of other origins')
  return { token, maxHeight, secondsLeft: Math.max(0, Math.floor(expiresAt - Date.now() / 1000)) }
}

/** What only some may see is kept by nobody but them, and no longer than they may. */
export function privately(caching: string, { secondsLeft }: Viewing): string {
  const fresh = /max-age=(\d+)/.exec(caching)?.[1]
  return fresh ? `private, max-age=${Math.min(Number(fresh), secondsLeft)}` : 'private, no-cache'
}

/** Behind an address of private media. */
export function carried(viewing: Viewing | undefined): string {
  return viewing ? `?token=${viewing.token}` : ''
}
