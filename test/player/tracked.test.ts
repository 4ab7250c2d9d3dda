import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { choose, look, ONLY_WATCHED, play, publish } from '../support/player/element.ts'
import { snippetsOf } from '../support/player/snippets.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { heatOf, watchTimeOf } from '../support/tracked-video.ts'

const SECONDS = 60
/** A pause is heard of some frames after the picture stood still. */
const CLOSE = 0.2

interface Segment {
  start_ms: string
  end_ms: string
  speed: number
  subtitle_language?: string
  audio_language?: string
  quality?: string
  chapter_title?: string
}

/** A part of the video as the element says it was played, and how. */
interface Pass {
  start: number
  end: number
  speed: number
  subtitle: string
  audio: string
  quality: string
  chapter: string
}

/** What a page has that goes. */
interface Leaving {
  addEventListener(name: 'pagehide', hear: () => void): void
  sessionStorage: { setItem(name: string, value: string): void }
}

describe.skipIf(!hasBrowser)('a player with a tracker', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  test('what was watched, and how, is what the service is told', { timeout: 400_000 }, async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { video, feedId, postId, post } = await publish(service, '1920x1080')
    const [example] = snippetsOf('docs/player.md', 'html', { service, post }).filter((one) =>
      one.includes('createTracker'),
    )
    const told: Told[] = []
    const page = await stage.show(example!, { prepare: (page) => noteEvents(page, told) })
    await look(page, ({ media }) => {
      media.muted = true
    })

    const passes: Pass[] = []
    const usual = { speed: 1, subtitle: '', audio: 'en', quality: 'VIDEO_QUALITY_BASIC', chapter: 'Opening' }
    await play(page)
    passes.push({ ...usual, ...(await playUntil(page, 2.5)) })

    // Twice as fast, over the border of two chapters.
    await seek(page, 5)
    await choose(page, 'Speed', '2×')
    const fast = await playUntil(page, 10.5)
    passes.push({ ...usual, speed: 2, start: fast.start, end: 8 })
    const road = { ...usual, chapter: 'On the road' }
    passes.push({ ...road, speed: 2, start: 8, end: fast.end })

    // With subtitles, from where it was.
    await choose(page, 'Speed', 'Normal')
    await choose(page, 'Subtitles', 'English')
    passes.push({ ...road, subtitle: 'en', ...(await playUntil(page, 12.5)) })

    // In another quality, and without them.
    await choose(page, 'Subtitles', 'Off')
    await choose(page, 'Quality', '1080p')
    await seek(page, 30)
    // What is seen until it is there is in the quality of before.
    await expect.poll(() => look(page, ({ media }) => media.videoHeight)).toBe(1080)
    const high = { ...road, quality: 'VIDEO_QUALITY_SHORTS' }
    passes.push({ ...high, ...(await playUntil(page, 32.5)) })

    // In another language, over what was seen before.
    await choose(page, 'Audio', 'Français')
    await seek(page, 31)
    passes.push({ ...high, audio: 'fr', ...(await playUntil(page, 33.5)) })
    await look(page, async (player) => {
      const { tracker } = player as unknown as { tracker: { flush(): Promise<void> } }
      player.remove()
      // What is removed might only be moved, and is let go of a moment later.
      await new Promise((resolve) => setTimeout(resolve))
      await tracker.flush()
    })

    const views = told.flatMap(({ content_view }) => (content_view ? [content_view] : []))
    expect(views.map(({ view_type }) => view_type)).toEqual(
      views.map((_, i) => (i === 0 ? 'start' : 'watch')),
    )
    for (const view of views)
      expect(view).toMatchObject({
        content_id: video.id,
        feed_id: feedId,
        post_id: postId,
        content_type: 'MEDIA_TYPE_VIDEO',
      })
    const segments = views.flatMap(({ segments }) => segments ?? []).map(toPass)
    const manner = ({ speed, subtitle, audio, quality, chapter }: Pass) =>
      `${speed}× ${subtitle} ${audio} ${quality} ${chapter}`
    expect(segments.map(manner)).toEqual(passes.map(manner))
    for (const [i, { start, end }] of passes.entries()) {
      expect(Math.abs(segments[i]!.start - start), `start of ${i}`).toBeLessThan(CLOSE)
      expect(Math.abs(segments[i]!.end - end), `end of ${i}`).toBeLessThan(CLOSE)
    }

    const report = async (address: string) => (await service.api.get(`/analytics/v1/${address}`)).body
    const figures = { starts: 1, total_views: 1, unique_viewers: 1 }
    for (const of of [`videos/${video.id}`, `posts/${postId}`]) {
      const stats = await report(`${of}/stats`)
      expect(stats, of).toMatchObject(figures)
      expect(stats.total_watch_time_ms / 1000, of).toBeCloseTo(watchTimeOf(passes), 0)
    }
    expect((await report(`videos/${video.id}/heatmap?buckets=${SECONDS}`)).data).toEqual(
      heatOf(passes, SECONDS),
    )
    expect(await report(`videos/${video.id}/quality`)).toMatchObject({ plays: 1, failed_plays: 0 })
  })

  test('over a reload, a network that is away and a closed tab it is told to the second', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { video, post } = await publish(service)
    const [example] = snippetsOf('docs/player.md', 'html', { service, post }).filter((one) =>
      one.includes('createTracker'),
    )
    const page = await stage.show(example!)
    const mute = () =>
      look(page, ({ media }) => {
        media.muted = true
      })
    await mute()
    await play(page)
    // The page goes while it plays, and says itself where it was then.
    await look(page, async ({ media }) => {
      const { addEventListener, sessionStorage } = globalThis as unknown as Leaving
      addEventListener('pagehide', () => sessionStorage.setItem('left', String(media.currentTime)))
      while (media.currentTime < 2.3) await new Promise((resolve) => setTimeout(resolve, 20))
    })
    await page.reload()
    const left = Number(await page.evaluate("sessionStorage.getItem('left')"))
    expect(left).toBeGreaterThan(2)
    const passes = [{ start: 0, end: left, speed: 1 }]
    await expect.poll(() => look(page, ({ media }) => media?.readyState ?? 0)).toBeGreaterThan(1)
    await mute()
    await seek(page, 10)
    passes.push({ ...(await playUntil(page, 12.5)), speed: 1 })

    // What is watched while the network is away was loaded before.
    await expect
      .poll(() => look(page, ({ media }) => media.buffered.end(media.buffered.length - 1)))
      .toBeGreaterThan(20)
    await page.context().setOffline(true)
    await seek(page, 15)
    passes.push({ ...(await playUntil(page, 17.5)), speed: 1 })
    await page.context().setOffline(false)

    await seek(page, 20)
    const end = await look(page, async ({ media }) => {
      await media.play()
      while (media.currentTime < 22.3) await new Promise((resolve) => setTimeout(resolve, 20))
      return media.currentTime
    })
    passes.push({ start: 20, end, speed: 1 })
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])

    const report = async (of: string) =>
      (await service.api.get(`/analytics/v1/videos/${video.id}/${of}`)).body as Record<string, number>
    await expect
      .poll(async () => (await report('stats')).total_watch_time_ms! / 1000)
      .toBeCloseTo(watchTimeOf(passes), 0)
    expect(await report('stats')).toMatchObject({ starts: 2, completions: 0, unique_viewers: 1 })
    expect((await report(`heatmap?buckets=${SECONDS}`)).data).toEqual(heatOf(passes, SECONDS))
    expect(await report('quality')).toMatchObject({ failed_plays: 0 })

    const viewed = (view_type: string) => ({
      name: view_type,
      event_type: 'content_view',
      filters: { view_type, content_id: video.id },
    })
    const funnel = async (steps: object[]) =>
      (await service.api.post('/analytics/v1/funnels', { steps })).body
    expect(await funnel([viewed('start'), viewed('watch')])).toMatchObject({
      total_users: 1,
      completed_users: 1,
    })
    expect(await funnel([viewed('start'), viewed('end')])).toMatchObject({
      total_users: 1,
      completed_users: 0,
    })
  })

  test('a start counts from the click, also while it is asked what is to be played', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { video, post } = await publish(service)
    const [example] = snippetsOf('docs/player.md', 'html', { service, post }).filter((one) =>
      one.includes('createTracker'),
    )
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const page = await stage.show(example!, {
      prepare: (page) => page.route('**/posts/v1/feeds/**', (route) => held.then(() => route.continue())),
    })
    await look(page, ({ media }) => {
      media.muted = true
      const tell = () => Object.assign(globalThis, { clickedAt: performance.now() })
      ;(media as unknown as EventTarget).addEventListener('play', tell, { once: true })
    })
    await page.locator('marquee-player').locator('[part=play]').click()
    await page.waitForFunction('performance.now() > globalThis.clickedAt + 3000')
    const waited = Number(await page.evaluate('performance.now() - globalThis.clickedAt'))
    letGo()
    await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(0.5)
    const started = Number(await page.evaluate('performance.now() - globalThis.clickedAt'))
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
    const report = async () => (await service.api.get(`/analytics/v1/videos/${video.id}/quality`)).body
    await expect.poll(async () => (await report()).plays).toBe(1)
    const { start_median_ms } = await report()
    expect(start_median_ms).toBeGreaterThanOrEqual(Math.floor(waited))
    expect(start_median_ms).toBeLessThanOrEqual(Math.ceil(started))
  })

  test('a tracker that is there before the script of the player is used', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { video, post } = await publish(service)
    const page = await stage.show(
      `<marquee-player url="${service.url}" post="${post}" muted></marquee-player>`,
    )
    await look(page, (player) => {
      player.labels = { Play: 'Abspielen' }
      player.tracker = {
        attach(_: unknown, about: object) {
          Object.assign(globalThis, { attached: about })
          return () => {}
        },
      }
    })
    await page.addScriptTag({ type: 'module', url: `${service.url}/sdk/player/index.js` })
    await expect.poll(() => page.evaluate('globalThis.attached?.contentId')).toBe(video.id)
    expect(await page.getByRole('button', { name: 'Abspielen' }).count()).toBeGreaterThan(0)
  })
})

interface Told {
  content_view?: Record<string, unknown> & { segments?: Segment[] }
}

/** The events that the service has taken. */
async function noteEvents(page: Page, told: Told[]): Promise<void> {
  page.on('response', (response) => {
    const request = response.request()
    if (!request.url().includes('/analytics/v1/events') || request.method() !== 'POST') return
    expect(response.status()).toBeLessThan(300)
    told.push(...JSON.parse(request.postData()!).events)
  })
}

/** From where it is until it stands still, as the element says. */
const playUntil = (page: Page, until: number) =>
  look(
    page,
    async ({ media }, until) => {
      const start = media.paused ? media.currentTime : 0
      await media.play()
      while (media.currentTime < until) await new Promise((resolve) => setTimeout(resolve, 20))
      media.pause()
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { start, end: media.currentTime }
    },
    until,
  )

async function seek(page: Page, to: number): Promise<void> {
  await look(
    page,
    ({ media }, to) => {
      media.currentTime = to
    },
    to,
  )
  await expect.poll(() => look(page, ({ media }) => media.seeking || media.readyState < 3)).toBe(false)
}

function toPass({ start_ms, end_ms, speed, ...manner }: Segment): Pass {
  return {
    start: Number.parseFloat(start_ms),
    end: Number.parseFloat(end_ms),
    speed,
    subtitle: manner.subtitle_language ?? '',
    audio: manner.audio_language ?? '',
    quality: manner.quality ?? '',
    chapter: manner.chapter_title ?? '',
  }
}
