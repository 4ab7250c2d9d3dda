import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { elementOf, film, goesOn, look, ONLY_WATCHED, play } from '../support/player/element.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { videoUploaderOf } from '../support/video.ts'

const NO_MEDIA_SOURCE = 'delete globalThis.MediaSource; delete globalThis.ManagedMediaSource'
/** The segment that begins at six seconds. */
const PLACE = 6
const DAMAGED = /\/v\d+\/3\.m4s/

describe.skipIf(!hasBrowser)('what cannot be decoded', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  /** A player whose segment at six seconds is damaged on its way as often as told, in these rungs. */
  async function open(size: string, { times = 1, rungs = DAMAGED, script = '' }) {
    const service = await composeForTest(ONLY_WATCHED)
    const video = await videoUploaderOf(service.api).upload(await film(size, 12), { video_quality: 'pro' })
    const seen = { damaged: 0 }
    const page = await stage.show(elementOf(service, `src="${video.file.url}" muted`), {
      prepare: async (page) => {
        await page.addInitScript({ content: script })
        await page.route(rungs, (route) => (seen.damaged < times ? damage(route, seen) : route.continue()))
      },
    })
    await play(page)
    await notePlaces(page)
    return { page, seen }
  }

  describe.each([
    ['hls.js', ''],
    ['a browser that plays HLS by itself', NO_MEDIA_SOURCE],
  ])('with %s', (_, script) => {
    test('is begun anew where it was, and plays on', async () => {
      const { page, seen } = await open('640x360', { script })
      await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(PLACE + 2)
      expect(seen.damaged).toBe(1)
      expect(await page.locator('[part=error]').isVisible()).toBe(false)
      const places = await placesOf(page)
      const back = places.map((place, i) => (places[i - 1] ?? 0) - place)
      expect(Math.max(...back)).toBeLessThan(1)
    })

    test('is tried a few times, said, and played from where it was once it is whole', async () => {
      const { page, seen } = await open('640x360', { script, times: Number.POSITIVE_INFINITY })
      const error = page.locator('[part=error]')
      await expect.poll(() => error.isVisible()).toBe(true)
      expect(await error.locator('p').textContent()).toBe('This video cannot be played here.')
      expect(seen.damaged).toBe(4)
      await page.unroute(DAMAGED)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(PLACE + 2)
      expect(await error.isVisible()).toBe(false)
      const failedAt = (await placesOf(page)).findLast((place) => place < PLACE + 2)!
      expect(failedAt).toBeGreaterThan(0.3)
    })
  })

  test('is left for another rung, and a paused video stays paused', async () => {
    const rungs = /\/v480\/3\.m4s/
    const { page, seen } = await open('854x480', { times: Number.POSITIVE_INFINITY, rungs })
    await look(page, ({ player }) => player.chooseRung(1))
    await expect.poll(() => seen.damaged).toBeGreaterThan(0)
    await page.keyboard.press('k')
    await page.keyboard.press('9')
    await expect.poll(() => look(page, ({ media }) => media.seeking || media.readyState < 2)).toBe(false)
    expect(await look(page, ({ media }) => media.paused)).toBe(true)
    await page.keyboard.press('5')
    await page.keyboard.press('k')
    await goesOn(page, 2)
    expect(await look(page, ({ player }) => player.state)).toMatchObject({ status: 'ready', isAuto: true })
  })
})

/** Most of its pictures are other bytes; the boxes around them are whole. */
async function damage(route: Route, seen: { damaged: number }): Promise<void> {
  seen.damaged += 1
  const response = await route.fetch()
  const body = await response.body()
  const pictures = body.indexOf('mdat') + 4
  body.fill(0xff, pictures + Math.floor((body.length - pictures) / 3))
  await route.fulfill({ response, body })
}

/** Keeps where it is played. */
const notePlaces = (page: Page) =>
  look(page, ({ media }) => {
    const places: number[] = []
    Object.assign(globalThis, { places })
    setInterval(() => media.readyState > 2 && places.push(media.currentTime), 20)
  })

const placesOf = (page: Page) => page.evaluate('places') as Promise<number[]>
