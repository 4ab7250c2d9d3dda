import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { scene } from '../../fixtures/images.ts'
import { startBrowser } from '../browser.ts'
import { composeForTest, type InProcess } from '../in-process.ts'
import { uploaderOf } from '../media.ts'
import { made, videoUploaderOf } from '../video.ts'

const PHONE = { width: 360, height: 740 }
/** Nobody works in the background, and nobody is told to come later. */
const SETTINGS = { MARQUEE_ROLES: 'api', MARQUEE_LIMIT_KEY_PER_MINUTE: '0' }

/** As phones film: upright, and of a few seconds. */
const shortFilm = (seconds: number) =>
  made(
    [
      ...['-f', 'lavfi', '-i', `testsrc2=size=180x320:rate=25:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ],
    'mp4',
  )

export type Kind = 'video' | 'image'

/** Posts of a feed as they are seen, from the first to the last: `1`, `2` and so on in their descriptions. */
export async function publishPosts(
  { api }: InProcess,
  kinds: Kind[],
  { seconds = 8, visibility = 'private' }: { seconds?: number; visibility?: 'public' | 'private' } = {},
) {
  const feed = (await api.post('/feeds', { name: 'Shorts', visibility })).body
  const [film, picture] = [await shortFilm(seconds), await scene(90, 160).jpeg().toBuffer()]
  const media = new Array<string>(kinds.length)
  const waiting = [...kinds.entries()]
  const upload = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [i, kind] = next
      const made =
        kind === 'video'
          ? await videoUploaderOf(api).upload(film)
          : (await uploaderOf(api).upload(picture)).body
      media[i] = made.id
    }
  }
  await Promise.all([upload(), upload(), upload(), upload()])
  // The newest is seen first.
  for (const [i, id] of [...media.entries()].reverse()) {
    const about = { creator_id: 'ada', description: String(i + 1) }
    const content = { content_ids: [id], content_type: 'mixed' as const, ...about }
    expect((await api.post(`/feeds/${feed.id}/content`, content)).status).toBe(200)
  }
  return { feed: feed.id as string, media }
}

/** A page of another origin with a feed, in a browser that the tests of a file share. */
export async function openFeedSite() {
  const browser: Browser = await startBrowser()
  let body = ''
  let html = '<html lang="en">'
  const site = http.createServer((_, response) => {
    const head =
      '<meta name="viewport" content="width=device-width"><title>An app</title><style>body{margin:0}h1{position:absolute;z-index:-1}</style>'
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html>${html}${head}<main><h1>Shorts</h1>${body}</main></html>`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

  /** A page that shows a feed; with more before and after it. */
  async function open(
    service: InProcess,
    attributes: string,
    { before = '', after = '', dir = 'ltr', ...options }: OpenOptions = {},
  ) {
    html = `<html lang="en" dir="${dir}">`
    body = `${before}<marquee-feed url="${service.url}" ${attributes}></marquee-feed>${after}
      <script type="module" src="${service.url}/sdk/player/feed.js"></script>`
    const context = await browser.newContext({ viewport: PHONE, ...options })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.addInitScript(NOTE_POSTS)
    await page.goto(address)
    return { page, context }
  }

  /** A service with a feed of these posts, and a page that shows it. */
  async function start(kinds: Kind[], { seconds, ...options }: OpenOptions & { seconds?: number } = {}) {
    const service = await composeForTest({ env: SETTINGS })
    const published = await publishPosts(service, kinds, { seconds })
    const attributes = `feed="${published.feed}" key="${service.seed.publishable_key}"`
    return { service, attributes, ...published, ...(await open(service, attributes, options)) }
  }

  return {
    open,
    start,
    compose: () => composeForTest({ env: SETTINGS }),
    async close() {
      await browser.close()
      site.closeAllConnections()
      await new Promise((resolve) => site.close(resolve))
    },
  }
}

export type FeedSite = Awaited<ReturnType<typeof openFeedSite>>

interface OpenOptions extends BrowserContextOptions {
  before?: string
  after?: string
  dir?: 'ltr' | 'rtl'
}

/** Every post that was told of, in `seen`. */
const NOTE_POSTS = `
  globalThis.seen = []
  addEventListener('postchange', ({ detail }) => seen.push(detail.post.description), true)`

/** What a function in the page tells of the feed. */
export const look = <T>(page: Page, about: (feed: FeedInPage) => T) =>
  page.evaluate(`(${about})(document.querySelector('marquee-feed'))`) as Promise<T>

/** The post that is seen, by its description. */
export const seen = (page: Page) => look(page, ({ post }) => post?.description)

export async function expectPost(page: Page, description: string): Promise<void> {
  await expect.poll(() => seen(page)).toBe(description)
  // The slide is in its place, not on its way.
  await expect
    .poll(() =>
      look(page, ({ shadowRoot }) =>
        Math.round(shadowRoot.querySelector('.current')!.getBoundingClientRect().top),
      ),
    )
    .toBe(0)
}

/** Of all videos: which post they are in, and whether they play. */
export const videos = (page: Page) =>
  look(page, ({ shadowRoot }) =>
    [...shadowRoot.querySelectorAll('video')].map((video) => ({
      post: video.closest('article')!.querySelector('[part=description]')!.textContent,
      isPlaying: !video.paused,
      isReady: video.readyState >= 2,
      time: video.currentTime,
      isMuted: video.muted,
    })),
  )

export async function expectPlaying(page: Page, description: string): Promise<void> {
  const playing = async () =>
    (await videos(page)).filter(({ isPlaying }) => isPlaying).map(({ post }) => post)
  await expect.poll(playing).toEqual([description])
  const time = async () => (await videos(page)).find(({ post }) => post === description)?.time ?? 0
  const from = await time()
  await expect.poll(time).not.toBe(from)
}

/** What is asked of the element; it is there in the page only. */
interface FeedInPage {
  post?: { id: string; description: string }
  muted: boolean
  labels: Record<string, string>
  tracker: object
  next(): void
  previous(): void
  remove(): void
  scrollIntoView(): void
  shadowRoot: Found
}

interface Found {
  textContent: string
  className: string
  querySelector(selector: string): Found | null
  querySelectorAll(selector: string): Iterable<Found & FoundVideo> & { length: number }
  closest(selector: string): Found | null
  getBoundingClientRect(): { top: number; height: number }
  getAttribute(name: string): string | null
}

interface FoundVideo {
  paused: boolean
  muted: boolean
  readyState: number
  currentTime: number
}
