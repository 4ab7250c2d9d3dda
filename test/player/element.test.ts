import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe } from '../support/axe.ts'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import {
  choose,
  elementOf,
  film,
  goesOn,
  look,
  ONLY_WATCHED,
  play,
  publish,
} from '../support/player/element.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { videoUploaderOf } from '../support/video.ts'

/** The browser says that it takes segments once `open` is called. */
const OPEN_WHEN_TOLD = `
  const isTold = new Promise((resolve) => { globalThis.open = resolve })
  const { addEventListener } = MediaSource.prototype
  MediaSource.prototype.addEventListener = function (name, tell) {
    addEventListener.call(this, name, name === 'sourceopen' ? (event) => isTold.then(() => tell(event)) : tell)
  }`

describe.skipIf(!hasBrowser)('the element on a page of another origin', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  async function start(attributes = 'muted') {
    const service = await composeForTest(ONLY_WATCHED)
    const published = await publish(service)
    const page = await stage.show(elementOf(service, `post="${published.post}" ${attributes}`))
    return { service, page, context: page.context(), ...published }
  }

  test('loads its parts when it is about to be seen, and plays at a click', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { post } = await publish(service)
    const asked: string[] = []
    const page = await stage.show(
      `<div style="height:3000px">Text</div>${elementOf(service, `post="${post}" muted`)}`,
      {
        prepare: async (page) => page.on('request', (request) => asked.push(new URL(request.url()).pathname)),
      },
    )
    await expect.poll(() => page.evaluate(`customElements.get('marquee-player') !== undefined`)).toBe(true)
    await page.waitForLoadState('networkidle')
    expect(asked.filter((address) => address !== '/' && address !== '/favicon.ico')).toEqual([
      '/sdk/player/index.js',
    ])

    await look(page, (player) => player.scrollIntoView())
    await expect.poll(() => look(page, ({ player }) => player.state.status)).toBe('ready')
    await expect.poll(() => look(page, ({ media }) => media.readyState)).toBeGreaterThanOrEqual(2)
    const scripts = asked.filter((address) => address.startsWith('/sdk/')).sort()
    expect(scripts).toEqual(['hls.js', 'index.js', 'media-chrome.js'].map((name) => `/sdk/player/${name}`))
    // Enough for the first frame, and no more before somebody plays it.
    expect(await look(page, ({ media }) => media.buffered.end(0))).toBeLessThan(10)
    expect(await page.locator('[part=poster] img.ready').isVisible()).toBe(true)
    await play(page)
    expect(await page.locator('[part=poster]').isVisible()).toBe(false)
  })

  test('seeks, changes speed and goes silent by the keys of YouTube', async () => {
    const { page } = await start()
    await play(page)
    await page.keyboard.press('k')
    const state = () => look(page, ({ media }) => ({ at: media.currentTime, paused: media.paused }))
    await expect.poll(async () => (await state()).paused).toBe(true)
    const { at } = await state()
    await page.keyboard.press('l')
    expect((await state()).at).toBeCloseTo(at + 10, 1)
    await page.keyboard.press('ArrowLeft')
    expect((await state()).at).toBeCloseTo(at + 5, 1)
    await page.keyboard.press('5')
    expect((await state()).at).toBeCloseTo(30, 0)
    await page.keyboard.press('Shift+>')
    await page.keyboard.press('m')
    expect(await look(page, ({ media }) => [media.playbackRate, media.muted])).toEqual([1.25, false])
    await page.keyboard.press('k')
    await goesOn(page)
  })

  test('rungs, sounds and subtitles are chosen in its menu; chapters and previews are on the timeline', async () => {
    const { page } = await start()
    await play(page)
    await expect.poll(() => look(page, ({ player }) => player.state.subtitles.length)).toBe(1)
    await choose(page, 'Quality', '360p')
    await expect.poll(() => look(page, ({ media }) => media.videoHeight)).toBe(360)
    await choose(page, 'Audio', 'Français')
    await expect.poll(() => look(page, ({ player }) => player.state.audio)).toBe(1)
    await choose(page, 'Subtitles', 'English')
    const cues = () =>
      look(
        page,
        ({ media }) =>
          [...media.textTracks].flatMap((track) => (track.mode === 'showing' ? [...(track.cues ?? [])] : []))
            .length,
      )
    await expect.poll(cues).toBe(1)
    await goesOn(page)
    expect(await look(page, ({ player }) => player.state.isAuto)).toBe(false)

    await page.keyboard.press('2')
    await expect.poll(() => page.locator('[part=chapter] span').textContent()).toBe('On the road')
    const timeline = (await page.locator('media-time-range').boundingBox())!
    await page.mouse.move(timeline.x + timeline.width / 2, timeline.y + timeline.height / 2)
    const preview = page.locator('media-time-range').locator('media-preview-thumbnail')
    await expect.poll(() => preview.getAttribute('mediapreviewimage')).toContain('/cdn/')
  })

  test('goes on after segments were answered 503', async () => {
    const { page } = await start('muted preload="none"')
    let refusals = 0
    await page.route(/\/v\d+\/\d+\.m4s/, (route) => {
      refusals += 1
      const headers = { 'access-control-allow-origin': '*' }
      return refusals <= 3 ? route.fulfill({ status: 503, headers }) : route.continue()
    })
    await play(page)
    expect(refusals).toBeGreaterThan(3)
  })

  test.runIf(process.env.MARQUEE_TEST_LONG)(
    'goes on after a segment was answered 503 before the one that begins them all was there',
    async () => {
      const { page } = await start('muted preload="none" start="20"')
      let segments = 0
      let beginnings: Route[] | undefined = []
      await page.route(/\/v\d+\/init\.mp4/, (route) =>
        beginnings ? void beginnings.push(route) : route.continue(),
      )
      await page.route(/\/v\d+\/\d+\.m4s/, (route) =>
        segments++ === 0
          ? route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } })
          : route.continue().catch(() => {}),
      )
      await page.locator('[part=play]').click()
      await expect.poll(() => segments).toBeGreaterThan(1)
      const held = beginnings!
      beginnings = undefined
      for (const route of held) await route.continue().catch(() => {})
      await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(20.3)
      expect(await look(page, ({ media }) => media.currentTime)).toBeLessThan(40)
    },
  )

  test('goes on after a segment was answered 503 before the element was ready for any', async () => {
    const { page } = await start('muted preload="none"')
    await page.evaluate(OPEN_WHEN_TOLD)
    page.on('response', (response) => response.status() === 503 && page.evaluate('open()'))
    let segments = 0
    const beginnings: Route[] = []
    await page.route(/\/v\d+\/init\.mp4/, (route) => void beginnings.push(route))
    await page.route(/\/v\d+\/\d+\.m4s/, (route) =>
      segments++ === 0
        ? route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } })
        : route.continue().catch(() => {}),
    )
    await page.locator('[part=play]').click()
    await expect.poll(() => segments).toBeGreaterThan(1)
    // Whatever is tried again after a while has been: the first wait is of half a second.
    const now = () => page.evaluate('performance.now()') as Promise<number>
    const then = await now()
    await expect.poll(now).toBeGreaterThan(then + 1000)
    await page.unroute(/\/v\d+\/init\.mp4/)
    for (const route of beginnings) await route.continue().catch(() => {})
    await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(0.3)
  })

  test('goes on where it was once a network that went away is back', async () => {
    const { page, context } = await start()
    await play(page)
    await context.setOffline(true)
    await page.keyboard.press('9')
    await expect.poll(() => page.locator('[part=note]').textContent()).toBe('Reconnecting…')
    await context.setOffline(false)
    await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(54.5)
    await expect.poll(() => page.locator('[part=note]').textContent()).toBe('')
  })

  test('leaves a rung that fails, also where it was chosen by hand', async () => {
    const { page } = await start()
    await play(page)
    await page.route(/\/v360\//, (route) =>
      route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } }),
    )
    await look(page, ({ player }) =>
      player.chooseRung(player.state.rungs.findIndex(({ height }) => height === 360)),
    )
    await page.keyboard.press('8')
    await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(49)
    expect(await look(page, ({ media }) => media.videoHeight)).toBe(480)
  })

  test('has the chosen rung when a video that was loaded in another begins again', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const content = await film('854x480', 8)
    const video = await videoUploaderOf(service.api).upload(content, { video_quality: 'pro' })
    const page = await stage.show(elementOf(service, `src="${video.file.url}" muted loop`))
    await expect.poll(() => look(page, ({ player }) => player.state.rungs.length)).toBe(2)
    await look(page, ({ player }) => player.chooseRung(0))
    await play(page)
    const loaded = () => look(page, ({ media: { buffered } }) => buffered.end(buffered.length - 1))
    await expect.poll(loaded).toBeGreaterThan(7.9)
    await page.keyboard.press('k')
    await page.keyboard.press('9')
    await expect.poll(() => look(page, ({ media }) => media.seeking || media.readyState < 2)).toBe(false)
    await look(page, ({ player }) => player.chooseRung(1))
    expect(await look(page, ({ media }) => media.videoHeight)).toBe(360)
    await page.keyboard.press('k')
    await expect.poll(() => look(page, ({ media }) => media.videoHeight)).toBe(480)
    await goesOn(page)
  })

  test('says what is wrong, and plays when it is tried again', async () => {
    const { page } = await start()
    await play(page)
    const isPost = /\/posts\/v1\//
    const gone = { code: 404, error: 'Not Found', details: 'no such post' }
    await page.route(isPost, (route) =>
      route.fulfill({ status: 404, json: gone, headers: { 'access-control-allow-origin': '*' } }),
    )
    await page.reload()
    const error = page.locator('[part=error]')
    await expect.poll(() => error.locator('p').textContent()).toBe('This video is not available.')
    expect(await error.locator('small').textContent()).toContain('no such post')
    expect(await axe(page)).toEqual([])
    await page.unroute(isPost)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(0.3)
    expect(await error.isVisible()).toBe(false)
  })

  test('axe finds nothing before it plays, while it plays and in its menu', async () => {
    const { page } = await start()
    await expect.poll(() => look(page, ({ player }) => player.state.status)).toBe('ready')
    expect(await axe(page)).toEqual([])
    await play(page)
    expect(await axe(page)).toEqual([])
    await page.locator('[part=settings]').click()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Enter')
    expect(await axe(page)).toEqual([])
  })

  test('plays by itself, silent and again and again, tells a tracker, and speaks the language of the page', async () => {
    const { page, video } = await start('autoplay muted loop preload="none"')
    await look(page, (player) => {
      player.labels = { Play: 'Abspielen', Pause: 'Anhalten', Settings: 'Einstellungen' }
      player.tracker = {
        attach(_: unknown, about: object) {
          Object.assign(globalThis, { tracked: about })
          return () => Object.assign(globalThis, { tracked: undefined })
        },
      }
    })
    await goesOn(page)
    expect(await look(page, ({ media }) => [media.muted, media.loop])).toEqual([true, true])
    expect(await page.locator('[part=play]').getAttribute('aria-label')).toBe('Abspielen')
    const tracked = () =>
      page.evaluate(() => JSON.stringify((globalThis as unknown as { tracked?: object }).tracked))
    expect(JSON.parse(await tracked())).toMatchObject({ contentId: video.id })
    await look(page, (player) => player.remove())
    await expect.poll(tracked).toBeUndefined()
  })
})
