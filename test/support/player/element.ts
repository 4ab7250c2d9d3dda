import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { InProcess } from '../in-process.ts'
import { formsOf, made, videoUploaderOf } from '../video.ts'

/** What is asked of `<marquee-player>`; it is there in the page only. */
export interface ElementInPage {
  media: {
    currentTime: number
    duration: number
    paused: boolean
    ended: boolean
    seeking: boolean
    muted: boolean
    volume: number
    loop: boolean
    src: string
    playbackRate: number
    readyState: number
    videoWidth: number
    videoHeight: number
    buffered: { length: number; end(i: number): number }
    textTracks: Iterable<{ mode: string; cues: Iterable<unknown> | null }>
    play(): Promise<void>
    pause(): void
    requestVideoFrameCallback(tell: (now: number, frame: { mediaTime: number }) => void): void
  }
  player: {
    chooseRung(rung: number): void
    chooseSubtitle(subtitle: number): void
    state: {
      status: string
      rungs: { width: number; height: number }[]
      rung: number
      isAuto: boolean
      audio: number
      audios: { language: string }[]
      subtitles: unknown[]
      subtitle: number
    }
  }
  labels: Record<string, string>
  tracker: object
  scrollIntoView(): void
  remove(): void
}

/** What a function in the page tells of the player there. It knows nothing but what it is given. */
export const look = <T, Given = undefined>(
  page: Page | Frame,
  about: (player: ElementInPage, given: Given) => T,
  given?: Given,
): Promise<Awaited<T>> =>
  page.evaluate(`(${about})(document.querySelector('marquee-player'), ${JSON.stringify(given)})`) as Promise<
    Awaited<T>
  >

/** What an expression in the page says of one of the player's parts, which is `part` there. */
export const ask = <T>(page: Page, selector: string, expression: string): Promise<T> =>
  page
    .locator(selector)
    .first()
    .evaluate(new Function('part', `return (${expression})`) as (part: unknown) => T)

/** The element and its script, as a page has them. */
export const elementOf = ({ url }: { url: string }, attributes: string): string =>
  `<marquee-player url="${url}" ${attributes}></marquee-player>
   <script type="module" src="${url}/sdk/player/index.js"></script>`

/** How many parts of an element change by moving or fading, and not at once. */
export const countMoving = (page: Page, tag: 'marquee-player' | 'marquee-feed'): Promise<number> =>
  page.evaluate(`[...document.querySelector('${tag}').shadowRoot.querySelectorAll('*')]
    .filter((part) => /[1-9]/.test(getComputedStyle(part).transitionDuration)).length`)

export async function play(page: Page): Promise<void> {
  await page.locator('[part=play]').click()
  await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(0.3)
}

/** Goes on from where it is. */
export async function goesOn(page: Page, seconds = 1): Promise<void> {
  const from = await look(page, ({ media }) => media.currentTime)
  await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(from + seconds)
}

/** Something of the menu, by the words on it. */
export async function choose(page: Page, group: string, choice: string): Promise<void> {
  await page.locator('[part=settings]').click()
  await page.getByRole('menuitem', { name: group }).click()
  await page.getByRole('menuitemradio', { name: choice, exact: true }).click()
  await page.keyboard.press('Escape')
}

/** Nothing is made in the background: the machine is there for what is watched. */
export const ONLY_WATCHED = { env: { MARQUEE_ROLES: 'api' } }

const SUBTITLES = 'WEBVTT\n\n00:00.000 --> 00:24.000\nNobody else was on the road.\n'
const CHAPTERS = [
  { title: 'Opening', start_time_sec: 0 },
  { title: 'On the road', start_time_sec: 8 },
]

/** Two rungs or more, and, unless it is to be shorter, long enough that not all of it is loaded at once. */
export const film = (size: string, seconds = 60): Promise<Buffer> =>
  made(
    [
      ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
      ...['-metadata:s:a:0', 'language=eng'],
    ],
    'mp4',
  )

/** A public post of a film with some rungs, two sounds, subtitles and chapters. */
export async function publish(service: InProcess, size = '854x480') {
  const { api } = service
  const forms = formsOf(service)
  const video = await videoUploaderOf(api).upload(await film(size), { video_quality: 'pro' })
  await forms.put(`/videos/${video.id}/subtitles/en`, ['file', { content: SUBTITLES }], ['label', 'English'])
  const french = await made(['-f', 'lavfi', '-i', 'sine=frequency=660:duration=60'], 'mp3')
  await forms.post(
    `/videos/${video.id}/audio-tracks`,
    ['files', { content: french }],
    ['language_codes', 'fr'],
    ['labels', 'Français'],
  )
  await api.put(`/videos/${video.id}/chapters`, { chapters: CHAPTERS })
  const feed = (await api.post('/feeds', { name: 'Films' })).body
  await api.post(`/feeds/${feed.id}/content`, { content_ids: [video.id], content_type: 'mixed' })
  const { data } = (await api.get(`/feeds/${feed.id}`)).body
  return { video, feedId: feed.id as string, postId: data[0].id as string, post: `${feed.id}/${data[0].id}` }
}
