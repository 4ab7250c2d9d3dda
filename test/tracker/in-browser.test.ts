import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { type Cinema, heatOf, openCinema, type Watched, watchTimeOf } from '../support/tracked-video.ts'

const VIDEO = 'vid_01k9qxyzabcdefghjkmnpqrstv'
const SECONDS = 20

describe.skipIf(!hasBrowser)('a viewer in a browser', () => {
  let cinema: Cinema
  beforeAll(async () => {
    cinema = await openCinema(SECONDS)
  })
  afterAll(() => cinema.close())

  test('what they watched is what the reports answer, to the second', async () => {
    const visit = await cinema.visit()
    const passes: Watched[] = []
    const watch = async (until: number, speed = 1) => passes.push(await visit.playUntil(until, speed))

    // From the beginning, with a pause in the middle: that is one pass.
    await visit.open(VIDEO)
    const first = await visit.playUntil(1.5)
    const second = await visit.playUntil(3.5)
    passes.push({ start: first.start, end: second.end, speed: 1 })
    // Twice as fast, somewhere else; then back, over what was seen before.
    await visit.seek(8)
    await watch(12.5, 2)
    await visit.seek(2)
    await watch(4.5)
    // In the background it plays on, and nobody watches.
    await visit.hideWhilePlaying(7)
    passes.push(await visit.playUntil(8.5))

    // Reloaded in the middle.
    await visit.reload()
    await visit.open(VIDEO)
    await visit.seek(10)
    await watch(12.5)
    // The network is gone for a while; what was watched meanwhile comes later.
    await visit.offline(true)
    await visit.seek(15)
    await watch(16.5)
    await visit.flush()
    await visit.offline(false)
    await visit.seek(17)
    await visit.playToEnd().then((pass) => passes.push(pass))
    // The tab is closed in the middle of a second view.
    await visit.seek(0)
    const closed = await visit.playAndClose(2.3)
    passes.push(closed)

    const { api } = visit
    const stats = async () => (await api.get(`/analytics/v1/videos/${VIDEO}/stats`)).body
    await expect
      .poll(async () => (await stats()).total_watch_time_ms / 1000)
      .toBeCloseTo(watchTimeOf(passes), 0)
    expect(await stats()).toMatchObject({ starts: 3, total_views: 3, completions: 1, unique_viewers: 1 })
    const heat = await api.get(`/analytics/v1/videos/${VIDEO}/heatmap?buckets=${SECONDS}`)
    expect(heat.body).toEqual({
      video_id: VIDEO,
      total_duration_ms: SECONDS * 1000,
      data: heatOf(passes, SECONDS),
    })

    const funnel = await api.post('/analytics/v1/funnels', {
      steps: [
        { name: 'came', event_type: 'session_start' },
        { name: 'began', event_type: 'content_view', filters: { view_type: 'start', feed_id: 'feed_a' } },
        { name: 'to its end', event_type: 'content_view', filters: { view_type: 'end' } },
      ],
    })
    expect(funnel.body).toMatchObject({ total_users: 1, completed_users: 1 })
    // Once for the tab, and not again with the reload.
    const sessions = await api.post('/analytics/v1/funnels', {
      steps: [
        { name: 'came', event_type: 'session_start' },
        { name: 'again', event_type: 'session_start' },
      ],
    })
    expect(sessions.body.completed_users).toBe(0)
  })

  test('a stall and what plays on in the background are not watched, and full screen changes nothing', async () => {
    const visit = await cinema.visit()
    await visit.open(VIDEO, '/slow.mp4')
    const first = await visit.run<Watched[]>(`
      globalThis.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      globalThis.until = async (place) => { while (video.currentTime < place) await sleep(20) }
      globalThis.hide = (hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
        return video.currentTime
      }
      await video.play()
      await until(1.5)
      await video.requestFullscreen()
      await until(2.5)
      await document.exitFullscreen()
      await until(3.5)
      const stalled = new Promise((resolve) => video.addEventListener('waiting', resolve, { once: true }))
      const faster = video.currentTime
      video.playbackRate = 4
      await stalled
      video.playbackRate = 1
      await sleep(2000)
      return [{ start: 0, end: faster, speed: 1 }, { start: faster, end: video.currentTime, speed: 4 }]`)
    cinema.goOn()
    const last = await visit.run<Watched[]>(`
      await until(12.5)
      // It is never paused: it plays on while nobody sees it.
      const end = hide(true)
      await until(15.5)
      const again = hide(false)
      await until(17.5)
      video.pause()
      await sleep(100)
      return [{ start: ${first[1]!.end}, end, speed: 1 }, { start: again, end: video.currentTime, speed: 1 }]`)
    const passes = [...first, ...last]
    // It stood still in the middle, and was not watched to where it was hidden.
    expect(first[1]!.end).toBeLessThan(12)
    expect(last[1]!.start - last[0]!.end).toBeGreaterThan(2)
    await visit.flushAll()
    const { body: stats } = await visit.api.get(`/analytics/v1/videos/${VIDEO}/stats`)
    expect(stats).toMatchObject({ starts: 1, total_views: 1, completions: 0 })
    expect(stats.total_watch_time_ms / 1000).toBeCloseTo(watchTimeOf(passes), 0)
    const { body: heat } = await visit.api.get(`/analytics/v1/videos/${VIDEO}/heatmap?buckets=${SECONDS}`)
    expect(heat.data).toEqual(heatOf(passes, SECONDS))
  })

  test('a video that loops comes to its end once, and each round is watched', async () => {
    const visit = await cinema.visit()
    await visit.open(VIDEO)
    await visit.run(`video.loop = true`)
    await visit.seek(SECONDS - 1.5)
    await visit.run(`
      await video.play()
      for (let rounds = 0; rounds < 2; rounds++) {
        const isAgain = () => video.currentTime < 1
        while (!isAgain()) await new Promise((resolve) => setTimeout(resolve, 20))
        if (rounds === 0) video.currentTime = ${SECONDS - 1.5}
        while (isAgain()) await new Promise((resolve) => setTimeout(resolve, 20))
      }
      video.pause()`)
    // A viewer who goes back to the beginning has not come to the end.
    await visit.seek(5)
    await visit.playUntil(6)
    await visit.seek(0)
    await visit.flushAll()
    const { body } = await visit.api.get(`/analytics/v1/videos/${VIDEO}/stats`)
    expect(body).toMatchObject({ starts: 1, total_views: 1, completions: 1, completion_rate: 1 })
    const heat = await visit.api.get(`/analytics/v1/videos/${VIDEO}/heatmap?buckets=${SECONDS}`)
    const { data } = heat.body
    expect(data.slice(-2)).toEqual([2, 2])
    expect(data.slice(3, 5)).toEqual([0, 0])
  })

  test('what could not be sent when the tab was closed is sent by the next page, once', async () => {
    const visit = await cinema.visit()
    await visit.open(VIDEO)
    const pass = await visit.playUntil(1.5)
    await visit.flush()
    await visit.offline(true)
    await visit.seek(5)
    const closed = await visit.playAndClose(6.5)
    await visit.offline(false)
    const watched = async () =>
      (await visit.api.get(`/analytics/v1/videos/${VIDEO}/stats`)).body.total_watch_time_ms / 1000
    expect(await watched()).toBeLessThan(watchTimeOf([pass]) + 0.5)
    for (let i = 0; i < 2; i++) {
      await visit.newPage()
      await visit.open(VIDEO)
      await expect.poll(watched).toBeCloseTo(watchTimeOf([pass, closed]), 0)
      await visit.flushAll()
    }
    const { body } = await visit.api.get(`/analytics/v1/videos/${VIDEO}/heatmap?buckets=${SECONDS}`)
    expect(body.data).toEqual(heatOf([pass, closed], SECONDS))
  })

  test('how well it played is told: the start, a stall, the rung, and a failure', async () => {
    const visit = await cinema.visit()
    await visit.open(VIDEO, '/slow.mp4')
    // From nothing, also where what it needs has come meanwhile.
    await visit.run(`
      video.load()
      await video.play()
      const stalled = new Promise((resolve) => video.addEventListener('waiting', resolve, { once: true }))
      video.playbackRate = 4
      await stalled
      await new Promise((resolve) => setTimeout(resolve, 500))`)
    cinema.goOn()
    await visit.playToEnd()
    await visit.flushAll()
    const ask = async () => (await visit.api.get(`/analytics/v1/videos/${VIDEO}/quality?by=browser`)).body
    const well = await ask()
    expect(well).toMatchObject({
      plays: 1,
      failed_plays: 0,
      average_rung: 90,
      groups: [{ value: 'Chrome', plays: 1 }],
    })
    expect(well.start_median_ms).toBeGreaterThan(0)
    expect(well.start_p95_ms).toBe(well.start_median_ms)
    expect(well.stalled_share).toBeGreaterThan(0.05)
    // How long it stalled is the machine's affair; some of it was played.
    expect(well.stalled_share).toBeLessThan(1)

    await visit.open(VIDEO, '/no-film')
    await visit.run(
      `await new Promise((resolve) => (video.error ? resolve() : video.addEventListener('error', resolve)))`,
    )
    await visit.flushAll()
    expect(await ask()).toMatchObject({ plays: 2, failed_plays: 1, failure_rate: 0.5 })
  })

  test('storage is forbidden, and everything arrives all the same', async () => {
    const visit = await cinema.visit({ forbids: ['localStorage', 'sessionStorage', 'indexedDB'] })
    await visit.open(VIDEO)
    const pass = await visit.playUntil(1.5)
    await visit.flushAll()
    const { body } = await visit.api.get(`/analytics/v1/videos/${VIDEO}/stats`)
    expect(body).toMatchObject({ starts: 1, unique_viewers: 1 })
    expect(body.total_watch_time_ms / 1000).toBeCloseTo(watchTimeOf([pass]), 1)
  })

  test('whoever asks for privacy is not followed until they agree, and is forgotten when they do not', async () => {
    const visit = await cinema.visit({ navigator: { globalPrivacyControl: true } })
    await visit.open(VIDEO)
    await visit.playUntil(0.5)
    await visit.flushAll()
    expect(visit.sent()).toBe(0)
    expect(await viewerIn(visit.page())).toBeNull()
    await visit.consent(true)
    await visit.playUntil(1.5)
    await visit.flushAll()
    expect(visit.sent()).toBeGreaterThan(0)
    expect(await viewerIn(visit.page())).toMatch(/\w{8}/)
    await visit.consent(false)
    expect(await viewerIn(visit.page())).toBeNull()
    const before = visit.sent()
    await visit.playUntil(2.5)
    await visit.flushAll()
    expect(visit.sent()).toBe(before)

    const other = await cinema.visit({ navigator: { doNotTrack: '1' } })
    await other.open(VIDEO)
    await other.playUntil(0.5)
    await other.flushAll()
    expect(other.sent()).toBe(0)
  })

  test('the example of its page does what it says', async () => {
    const visit = await cinema.visit()
    await visit.example('packages/tracker/README.md')
    await expect
      .poll(async () => (await visit.api.get('/analytics/v1/realtime')).body.top_events.length)
      .toBeGreaterThanOrEqual(4)
    const { body } = await visit.api.get('/analytics/v1/realtime')
    const kinds = body.top_events.map(({ event_type }: { event_type: string }) => event_type)
    expect(kinds).toEqual(
      expect.arrayContaining(['session_start', 'engagement', 'interaction', 'content_view']),
    )
  })

  test('the example for a page tells what is watched there', async () => {
    const visit = await cinema.visit()
    await visit.example('docs/tracker.md')
    await expect.poll(() => visit.countOf('content_view')).toBeGreaterThan(0)
  })
})

function viewerIn(page: Page): Promise<string | null> {
  return page.evaluate(`localStorage.getItem('marquee.viewer')`) as Promise<string | null>
}
