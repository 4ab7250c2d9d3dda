import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { elementOf, look, ONLY_WATCHED, play, publish } from '../support/player/element.ts'
import { holdBeginnings } from '../support/player/held-segments.ts'
import { openStage, type Stage } from '../support/player/stage.ts'

/** The browser says that it takes segments once `open` is called. */
const OPEN_WHEN_TOLD = `
  const isTold = new Promise((resolve) => { globalThis.open = resolve })
  const { addEventListener } = MediaSource.prototype
  MediaSource.prototype.addEventListener = function (name, tell) {
    addEventListener.call(this, name, name === 'sourceopen' ? (event) => isTold.then(() => tell(event)) : tell)
  }`

describe.skipIf(!hasBrowser)('the element, where something fails on the way', () => {
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
      const segments = await holdBeginnings(page)
      await page.locator('[part=play]').click()
      await expect.poll(segments.asked).toBeGreaterThan(1)
      await segments.letBegin()
      await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(20.3)
      expect(await look(page, ({ media }) => media.currentTime)).toBeLessThan(40)
    },
  )

  test('goes on after a segment was answered 503 before the element was ready for any', async () => {
    const { page } = await start('muted preload="none"')
    await page.evaluate(OPEN_WHEN_TOLD)
    page.on('response', (response) => response.status() === 503 && page.evaluate('open()'))
    const segments = await holdBeginnings(page)
    await page.locator('[part=play]').click()
    await expect.poll(segments.asked).toBeGreaterThan(1)
    // Whatever is tried again after a while has been: the first wait is of half a second.
    const now = () => page.evaluate('performance.now()') as Promise<number>
    const then = await now()
    await expect.poll(now).toBeGreaterThan(then + 1000)
    await segments.letBegin()
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

  test('leaves a rung that fails, also where the player has chosen it', async () => {
    const { page } = await start('muted preload="none" style="width: 320px"')
    const refused: string[] = []
    await page.route(/\/v360\/\d+\.m4s/, (route) => {
      refused.push(route.request().url())
      return route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } })
    })
    await play(page)
    expect(await look(page, ({ media }) => media.videoHeight)).toBe(480)
    expect(refused.length).toBeGreaterThan(0)
  })

  test('says that a video is not available when it is deleted while it plays', async () => {
    const { page, service, video } = await start()
    await play(page)
    await service.api.delete(`/videos/${video.id}`)
    await page.keyboard.press('9')
    const error = page.locator('[part=error]')
    await expect.poll(() => error.locator('p').textContent()).toBe('This video is not available.')
    expect(await error.isVisible()).toBe(true)
  })
})
