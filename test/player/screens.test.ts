import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { ask, elementOf, goesOn, look, ONLY_WATCHED, play, publish } from '../support/player/element.ts'
import { openStage, type Stage } from '../support/player/stage.ts'

describe.skipIf(!hasBrowser)('the player on other screens than its place in the page', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  /** A player on a page of a browser that has, or has not, what these scripts say. */
  async function start(...scripts: string[]) {
    const service = await composeForTest(ONLY_WATCHED)
    const published = await publish(service)
    const page = await stage.show(elementOf(service, `post="${published.post}" muted`), {
      prepare: (page) => Promise.all(scripts.map((content) => page.addInitScript({ content }))),
    })
    return { page, ...published }
  }

  const shown = (page: Page, name: string) => page.locator(`media-${name}-button`).isVisible()

  test('fills the screen by its button, by a key and by a double click, and goes back', async () => {
    const { page } = await start()
    await play(page)
    const full = () => page.evaluate('document.fullscreenElement?.localName') as Promise<string | undefined>
    const width = () => ask<number>(page, 'marquee-player video', 'part.clientWidth')
    const before = await width()
    const ways: [string, () => Promise<unknown>][] = [
      ['button', () => page.locator('media-fullscreen-button').click()],
      ['key', () => page.keyboard.press('f')],
      ['double click', () => page.locator('marquee-player').dblclick({ position: { x: 200, y: 200 } })],
    ]
    for (const [way, take] of ways) {
      await page.mouse.move(300, 300)
      await take()
      await expect.poll(full, { message: way }).toBe('marquee-player')
      await expect.poll(width, { message: way }).toBeGreaterThan(before)
      await page.mouse.move(320, 320)
      await take()
      await expect.poll(full, { message: way }).toBeUndefined()
      await expect.poll(width, { message: way }).toBe(before)
    }
    await goesOn(page, 0.3)
  })

  test('plays on, or stands still, through a double click however quick it is', async () => {
    const { page } = await start()
    await play(page)
    await expect.poll(() => shown(page, 'fullscreen')).toBe(true)
    const isPaused = () => ask<boolean>(page, 'marquee-player video', 'part.paused')
    // Both clicks in one task: the controls learn of the first one's pause after the second.
    const doubleClick = () =>
      ask(
        page,
        'marquee-player video',
        `['click', 'click', 'dblclick'].forEach((type, i) => part.dispatchEvent(new MouseEvent(type,
          { detail: Math.min(i + 1, 2), clientX: 200, clientY: 200, bubbles: true, composed: true })))`,
      )
    await doubleClick()
    expect(await isPaused()).toBe(false)
    await goesOn(page, 0.3)
    await page.keyboard.press('k')
    await expect.poll(isPaused).toBe(true)
    await page.waitForTimeout(300)
    await doubleClick()
    await page.waitForTimeout(300)
    expect(await isPaused()).toBe(true)
  })

  test('is a picture in a picture by its button and by a key', async () => {
    const { page } = await start()
    await play(page)
    const inPicture = () =>
      page.evaluate('document.pictureInPictureElement?.localName') as Promise<string | undefined>
    for (const take of [() => page.locator('media-pip-button').click(), () => page.keyboard.press('i')]) {
      await page.mouse.move(300, 300)
      await take()
      await expect.poll(inPicture).toBe('marquee-player')
      await page.mouse.move(320, 320)
      await take()
      await expect.poll(inPicture).toBeUndefined()
    }
  })

  test('has no buttons for what the browser has not', async () => {
    const { page } = await start(
      'delete HTMLVideoElement.prototype.requestPictureInPicture',
      `RemotePlayback.prototype.watchAvailability = async (tell) => { tell(false); return 1 }`,
    )
    await play(page)
    await expect.poll(() => shown(page, 'fullscreen')).toBe(true)
    for (const name of ['pip', 'airplay', 'cast']) expect(await shown(page, name), name).toBe(false)
  })

  test('offers a screen nearby where the browser has found one', async () => {
    // Chrome says by this name that it is one; its shell without windows does not.
    const { page } = await start(`
      globalThis.chrome ??= {}
      RemotePlayback.prototype.watchAvailability = async (tell) => (globalThis.watchers ??= []).push(tell)
      RemotePlayback.prototype.prompt = async () => { globalThis.prompted = true }`)
    await play(page)
    expect(await shown(page, 'cast')).toBe(false)
    await expect.poll(() => page.evaluate('globalThis.watchers?.length > 0')).toBe(true)
    await page.evaluate('watchers.forEach((tell) => tell(true))')
    await expect.poll(() => shown(page, 'cast')).toBe(true)
    await page.mouse.move(300, 300)
    await page.locator('media-cast-button').click()
    await expect.poll(() => page.evaluate('globalThis.prompted')).toBe(true)
    expect(await shown(page, 'airplay')).toBe(false)
  })

  test('offers AirPlay in a browser of Apple', async () => {
    const { page } = await start(`
      globalThis.WebKitPlaybackTargetAvailabilityEvent = class extends Event {}
      HTMLVideoElement.prototype.webkitShowPlaybackTargetPicker = function () { globalThis.picked = this.localName }
      RemotePlayback.prototype.watchAvailability = async (tell) => { tell(true); return 1 }`)
    await play(page)
    await expect.poll(() => shown(page, 'airplay')).toBe(true)
    await page.mouse.move(300, 300)
    await page.locator('media-airplay-button').click()
    await expect.poll(() => page.evaluate('globalThis.picked')).toBe('video')
  })

  test('leaves HLS to a browser that plays it and cannot run hls.js', async () => {
    const { page, video } = await start('delete globalThis.MediaSource; delete globalThis.ManagedMediaSource')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    expect(
      await page.evaluate(`document.createElement('video').canPlayType('application/vnd.apple.mpegurl')`),
    ).not.toBe('')
    await play(page)
    expect(await look(page, ({ media }) => media.src)).toBe(video.file.url)
    expect(asked.filter((address) => address.endsWith('/hls.js'))).toEqual([])
    await page.keyboard.press('5')
    await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(30.3)
    expect(await look(page, ({ player }) => player.state)).toMatchObject({
      status: 'ready',
      rungs: [],
      rung: -1,
    })
    // Where nothing but the speed is to be chosen, the menu has nothing else.
    await page.mouse.move(300, 300)
    await page.locator('[part=settings]').click()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([expect.stringContaining('Speed')])
  })
})
