import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { elementOf, look, ONLY_WATCHED, play } from '../support/player/element.ts'
import { type Film, openFilm } from '../support/player/film.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { videoUploaderOf } from '../support/video.ts'
import { type LongerKind, longerKinds, makeLonger } from '../support/videos/sources.ts'

const REFUSED: LongerKind[] = ['mpeg-ts', 'sound-only']
const ORDINARY: LongerKind[] = ['h264-mp4']
const KINDS = process.env.MARQUEE_TEST_LONG ? longerKinds.filter((kind) => !REFUSED.includes(kind)) : ORDINARY

const SEGMENT = /\/v\d+\/\d+\.m4s/

describe.runIf(hasBrowser)('the player and the kinds of sources', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  /** A page whose first segment is refused once. */
  async function open(kind: LongerKind) {
    const service = await composeForTest(ONLY_WATCHED)
    const film = await openFilm(await makeLonger(kind))
    const video = await videoUploaderOf(service.api).upload(film.content, { video_quality: 'pro' })
    let segments = 0
    const page = await stage.show(elementOf(service, `src="${video.file.url}" muted`), {
      prepare: (page) =>
        page.route(SEGMENT, (route) => {
          const headers = { 'access-control-allow-origin': '*' }
          return segments++ === 0 ? route.fulfill({ status: 503, headers }) : route.continue()
        }),
    })
    await expect.poll(() => look(page, ({ media }) => media.readyState)).toBeGreaterThanOrEqual(2)
    expect(segments).toBeGreaterThan(1)
    await page.unroute(SEGMENT)
    await noteFrames(page)
    return { page, film }
  }

  test.each(KINDS)('%s plays, seeks, switches and recovers', { timeout: 600_000 }, async (kind) => {
    const { page, film } = await open(kind)
    await losesTheNetwork(page)
    await switchesRungs(page)
    for (const tenth of [7, 2, 5]) await seeks(page, film, tenth)
  })

  test.each(REFUSED)('%s is no video, which is said when it is uploaded', async (kind) => {
    const { api } = await composeForTest(ONLY_WATCHED)
    const content = await readFile(await makeLonger(kind))
    const { send, complete } = videoUploaderOf(api)
    const { video_id } = await send(content)
    expect((await complete(video_id)).body).toMatchObject({ code: 400, details: expect.any(String) })
  })
})

/** Plays what is loaded, and goes on where it was sent once what is not can be loaded. */
async function losesTheNetwork(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await play(page)
  await expectMovingPictures(page)
  await page.keyboard.press('8')
  await expect.poll(() => page.locator('[part=note]').textContent()).toBe('Reconnecting…')
  await page.context().setOffline(false)
  const place = (await look(page, ({ media }) => media.duration)) * 0.8
  await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(place + 0.5)
  await expectMovingPictures(page)
  await expect.poll(() => page.locator('[part=note]').textContent()).toBe('')
}

/** Every rung while it plays, again and again from the beginning. */
async function switchesRungs(page: Page): Promise<void> {
  const sizes = await look(page, ({ player }) =>
    player.state.rungs.map(({ width, height }) => [width, height]),
  )
  expect(sizes.length).toBeGreaterThan(1)
  await look(page, ({ media }) => {
    media.loop = true
    media.currentTime = 0
    media.play()
  })
  for (const [rung, size] of sizes.entries()) {
    await look(page, ({ player }, rung) => player.chooseRung(rung), rung)
    await expect.poll(() => look(page, ({ media }) => [media.videoWidth, media.videoHeight])).toEqual(size)
    await expectMovingPictures(page)
  }
}

/** To a tenth of the video by its key: the picture there is the source's at that time. */
async function seeks(page: Page, film: Film, tenth: number): Promise<void> {
  await look(page, ({ media }) => media.pause())
  await page.keyboard.press(String(tenth))
  await expect.poll(() => look(page, ({ media }) => media.seeking || media.readyState < 2)).toBe(false)
  const { currentTime, duration } = await look(page, ({ media: { currentTime, duration } }) => ({
    currentTime,
    duration,
  }))
  expect(currentTime).toBeCloseTo((duration * tenth) / 10, 2)
  const number = film.times.findLastIndex((time) => time <= currentTime + 0.002)
  // A browser takes a frame's length from decode times, and may show its neighbour for a part of its real time.
  const right = film.times.slice(Math.max(0, number - 1), number + 2)
  const offBy = async () => {
    const shown = (await shownIn(page)).at(-1)!
    return Math.min(...right.map((time) => Math.abs(time - shown)))
  }
  await expect.poll(offBy, { message: `frame at ${currentTime}` }).toBeLessThan(0.002)
}

/** Keeps the time of every frame that comes to the screen. */
const noteFrames = (page: Page) =>
  look(page, ({ media }) => {
    const shown: number[] = []
    Object.assign(globalThis, { shown })
    const note = (_: number, { mediaTime }: { mediaTime: number }) => {
      shown.push(mediaTime)
      media.requestVideoFrameCallback(note)
    }
    media.requestVideoFrameCallback(note)
  })

const shownIn = (page: Page) => page.evaluate('shown') as Promise<number[]>

async function expectMovingPictures(page: Page): Promise<void> {
  const before = (await shownIn(page)).length
  const since = async () => new Set((await shownIn(page)).slice(before)).size
  await expect.poll(since).toBeGreaterThan(5)
}
