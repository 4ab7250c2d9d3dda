import type { Chapter } from './player.ts'

/** What is played, and what is shown around it. */
export interface Source {
  /** An HLS address. */
  src: string
  poster?: string
  thumbhash?: string
  /** WebVTT whose cues are parts of sprite sheets. */
  storyboard?: string
  chapters?: Chapter[]
  title?: string
  width?: number
  height?: number
  /** What analytics know it by. */
  contentId?: string
  feedId?: string
  postId?: string
}

/** How a page names a video: by its own id with a key or a token, as a public post, or by its address. */
export interface Wanted {
  /** Where the service is. */
  url: string
  video?: string | null
  /** `feed_…/post_…` */
  post?: string | null
  src?: string | null
  /** A publishable key. */
  key?: string | null
  /** Of a viewer, for a post or an address whose video is private; with `video`, an access token. */
  token?: string | null
}

/** The service's answer when it does not tell of a video: its own words, and the id of the request. */
export class Refusal extends Error {
  readonly status: number
  readonly requestId: string | null
  constructor(status: number, message: string, requestId: string | null) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.requestId = requestId
  }
}

export interface VideoAnswer {
  id: string
  visibility?: string
  file: { url: string; name: string }
  poster?: { file: { url: string }; thumbhash: string }
  width: number
  height: number
  chapters: { title: string; start_time_sec: number; end_time_sec: number }[]
}

interface PostAnswer {
  id: string
  feed_id: string
  description: string
  video?: VideoAnswer
}

const TRIES = 4

export async function findSource(wanted: Wanted, signal?: AbortSignal): Promise<Source | undefined> {
  const { url, video, post, src, key, token } = wanted
  if (src) return opened({ src, storyboard: storyboardOf(src) }, token)
  const headers: Record<string, string> = {
    ...(key && { 'x-api-key': key }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  if (video) {
    const address = `${url}/videos/${video}`
    const answer = await ask<VideoAnswer>(address, { headers, signal })
    const isPrivate = answer.visibility === 'private'
    const made =
      isPrivate &&
      (await ask<{ token: string }>(`${address}/playback-token`, { method: 'POST', headers, signal }))
    return opened(toSource(answer), made ? made.token : undefined)
  }
  if (!post) return undefined
  const found = await ask<PostAnswer>(`${url}/posts/v1/feeds/${post}`, { signal })
  if (!found.video) throw new Refusal(404, 'This post shows no video', null)
  return {
    ...opened(toSource(found.video), token),
    title: found.description,
    feedId: found.feed_id,
    postId: found.id,
  }
}

export function toSource({ id, file, poster, width, height, chapters }: VideoAnswer): Source {
  return {
    src: file.url,
    ...(poster && { poster: poster.file.url, thumbhash: poster.thumbhash }),
    storyboard: `${file.url}/storyboard.vtt`,
    chapters: chapters.map(({ title, start_time_sec: start, end_time_sec: end }) => ({ title, start, end })),
    width,
    height,
    contentId: id,
  }
}

/** With a token behind each address. Playlists and storyboards carry it on. */
function opened(source: Source, token: string | null | undefined): Source {
  if (!token) return source
  const { src, poster, storyboard } = source
  const open = (address: string) => `${address}${address.includes('?') ? '&' : '?'}token=${token}`
  return {
    ...source,
    src: open(src),
    ...(poster && { poster: open(poster) }),
    ...(storyboard && { storyboard: open(storyboard) }),
  }
}

/** Addresses of the service name a project and a file; of others nobody knows whether they have a storyboard. */
function storyboardOf(src: string): string | undefined {
  const [, video] = /^(.*\/proj_\w+\/file_\w+)(?:\/master\.m3u8)?$/.exec(src) ?? []
  return video && `${video}/storyboard.vtt`
}

/** What fails for the moment is asked again a few times. */
export async function ask<T>(address: string, init: RequestInit): Promise<T> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, init).catch((error) => {
      if (init.signal?.aborted || tries === TRIES) throw error
    })
    if (response?.ok) return response.json()
    if (response && (tries === TRIES || response.status < 429)) {
      const { error = '', details = '' } = await response.json().catch(() => ({}))
      throw new Refusal(response.status, details || error, response.headers.get('x-request-id'))
    }
    await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** tries))
  }
}
