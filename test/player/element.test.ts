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
    return { page, ...published }
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
    await expect.poll(() => page.locator('[part=poster] img.ready').isVisible()).toBe(true)
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
    // One of its own 25 frames a second after the other, and never its edge, which may be rounded into another.
    const frames: number[] = []
    for (const key of [...'........,,']) {
      await page.keyboard.press(key)
      frames.push((await state()).at * 25)
    }
    const first = Math.floor(frames[0]!)
    expect(frames.map((frame) => Math.floor(frame) - first)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 6, 5])
    for (const frame of frames) expect(frame % 1).toBeCloseTo(0.5, 1)
    await page.keyboard.press('Shift+>')
    await page.keyboard.press('m')
    expect(await look(page, ({ media }) => [media.playbackRate, media.muted])).toEqual([1.25, false])
    await page.keyboard.press('k')
    await goesOn(page)
  })

  test('goes from chapter to chapter by an arrow with Ctrl, and with Option on a Mac', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { post } = await publish(service)
    for (const [platform, held, other] of [
      ['Linux x86_64', 'Control', 'Alt'],
      ['MacIntel', 'Alt', 'Control'],
    ] as const) {
      const page = await stage.show(elementOf(service, `post="${post}" muted`), {
        prepare: (page) =>
          page.addInitScript((platform) => {
            Object.defineProperty(navigator, 'platform', { value: platform })
          }, platform),
      })
      await play(page)
      await page.keyboard.press('k')
      await page.keyboard.press('5')
      const places: number[] = []
      for (const key of [
        `${other}+ArrowRight`,
        ...['Left', 'Left', 'Right', 'Right'].map((to) => `${held}+Arrow${to}`),
      ]) {
        await page.keyboard.press(key)
        places.push(await look(page, ({ media }) => media.currentTime))
      }
      // Not to where the next chapter would be, back to the beginning of this one, then to the one before.
      expect(places).toEqual([30, 8, 0, 8, 8])
      // The timeline, where a click has left the focus, has arrows of its own.
      await page.locator('media-time-range input').focus()
      await page.keyboard.press('5')
      await page.keyboard.press(`${held}+ArrowLeft`)
      expect(await look(page, ({ media }) => media.currentTime)).toBe(8)
    }
  })

  test('plays, goes to its ends, turns the volume and shows subtitles by their keys', async () => {
    const { page } = await start()
    await play(page)
    const paused = () => look(page, ({ media }) => media.paused)
    await page.keyboard.press(' ')
    await expect.poll(paused).toBe(true)
    const at = () => look(page, ({ media }) => media.currentTime)
    await page.keyboard.press('End')
    expect(await at()).toBeCloseTo(60, 0)
    await page.keyboard.press('j')
    expect(await at()).toBeCloseTo(50, 0)
    await page.keyboard.press('Home')
    expect(await at()).toBe(0)

    const volume = () => look(page, ({ media }) => Number(media.volume.toFixed(2)))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await volume()).toBe(0.9)
    await page.keyboard.press('ArrowUp')
    expect(await volume()).toBe(0.95)
    expect(await look(page, ({ media }) => media.muted)).toBe(false)

    const subtitle = () => look(page, ({ player }) => player.state.subtitle)
    await expect.poll(() => look(page, ({ player }) => player.state.subtitles.length)).toBe(1)
    await page.keyboard.press('c')
    await expect.poll(subtitle).toBe(0)
    await page.keyboard.press('c')
    await expect.poll(subtitle).toBe(-1)

    const speeds: number[] = []
    const speed = async (key: string) => {
      await page.keyboard.press(key)
      speeds.push(await look(page, ({ media }) => media.playbackRate))
    }
    await speed('Shift+<')
    // One that the page has set is between those of the keys, or beyond them.
    for (const [rate, keys] of [
      [1.1, ['Shift+>', 'Shift+<', 'Shift+<']],
      [3, ['Shift+>', 'Shift+<']],
    ] as const) {
      await look(page, ({ media }, rate) => (media.playbackRate = rate), rate)
      for (const key of keys) await speed(key)
    }
    expect(speeds).toEqual([0.75, 1.25, 1, 0.75, 3, 2])
    await page.keyboard.press(' ')
    await goesOn(page)
  })

  test('rungs, sounds and subtitles are chosen in its menu; chapters and previews are on the timeline', async () => {
    const { page } = await start()
    await play(page)
    await expect.poll(() => look(page, ({ player }) => player.state.subtitles.length)).toBe(1)
    let asked = ''
    page.on('request', (request) => {
      asked = /\/v(\d+)\/\d+\.m4s/.exec(request.url())?.[1] ?? asked
    })
    // Whichever it began with: what is loaded from then on, and seen, is what was chosen.
    for (const rung of ['480', '360']) {
      await choose(page, 'Quality', `${rung}p`)
      await expect.poll(() => look(page, ({ media }) => media.videoHeight)).toBe(Number(rung))
      expect(asked).toBe(rung)
    }
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
    const chapter = page.locator('media-time-range').locator('media-preview-chapter-display')
    const shown = () => chapter.getAttribute('mediapreviewchapter')
    await expect.poll(shown).toBe('On the road')
    await page.mouse.move(timeline.x + timeline.width / 20, timeline.y + timeline.height / 2)
    await expect.poll(shown).toBe('Opening')
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
