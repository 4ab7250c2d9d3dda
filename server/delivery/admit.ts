import { type PlaybackTokens, refusedToken } from '../access/index.ts'
import type { ServableFile } from '../uploads/index.ts'

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

/** Undefined for media that everybody may see; throws 403 with the reason where a token is needed that was not shown. */
export async function admit(
  file: ServableFile,
  { token, origin }: ShownToken,
  tokens: PlaybackTokens,
): Promise<Viewing | undefined> {
  if (file.visibility !== 'private') return undefined
  if (!token) throw refusedToken('this is private, and its address needs one')
  const { project_id: projectId, signing_keys: keyIds } = file
  const { subject, origins, maxHeight, expiresAt } = await tokens.read(token, {
    projectId,
    keyIds: keyIds ?? [],
  })
  if (subject !== projectId && subject !== file.media_id) throw refusedToken('is for another video or image')
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
