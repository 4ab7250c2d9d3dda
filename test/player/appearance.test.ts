import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe } from '../support/axe.ts'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import {
  ask,
  countMoving,
  elementOf,
  goesOn,
  look,
  ONLY_WATCHED,
  play,
  publish,
} from '../support/player/element.ts'
import { openStage, type Stage } from '../support/player/stage.ts'

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
/** What fingers meet; of pixels that a layout may give in fractions. */
const TARGET = 43.9

describe.skipIf(!hasBrowser)('how the player looks', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  type Options = Parameters<Stage['show']>[1]

  async function start(attributes = 'muted', options: Options = {}) {
    const service = await composeForTest(ONLY_WATCHED)
    const published = await publish(service)
    const page = await stage.show(elementOf(service, `post="${published.post}" ${attributes}`), options)
    return { page, ...published }
  }

  test('a thumbhash is there before the poster, and the poster until the first frame', async () => {
    const posters = hold()
    const segments = hold()
    const { page } = await start('muted', {
      prepare: (page) =>
        Promise.all([page.route(/\?w=\d+$/, posters.keep), page.route(/\/v\d+\/\d+\.m4s/, segments.keep)]),
    })
    const opacity = () => ask<string>(page, '[part=poster] img', 'getComputedStyle(part).opacity')
    await expect.poll(posters.count).toBe(1)
    const pixels = "part.getContext('2d').getImageData(0, 0, part.width, part.height).data.buffer"
    const colours = await ask(page, '[part=poster] canvas', `new Set(new Uint32Array(${pixels})).size`)
    // A picture of many colours, not an empty canvas.
    expect(colours).toBeGreaterThan(50)
    expect(await page.locator('[part=poster] canvas').isVisible()).toBe(true)
    expect(await opacity()).toBe('0')

    await posters.release()
    await expect.poll(opacity).toBe('1')
    await page.locator('[part=play]').click()
    await expect.poll(segments.count).toBeGreaterThan(0)
    expect(await page.locator('[part=poster]').isVisible()).toBe(true)
    await segments.release()
    await expect.poll(() => page.locator('[part=poster]').isVisible()).toBe(false)
    await goesOn(page, 0.3)
  })

  test('a page gives it colours, corners and a font by properties, and more by its parts', async () => {
    const style = `marquee-player {
      --marquee-accent: rgb(1, 2, 3); --marquee-text: rgb(4, 5, 6); --marquee-surface: rgb(7, 8, 9);
      --marquee-background: rgb(10, 11, 12); --marquee-radius: 13px; --marquee-font: monospace; --marquee-fit: cover }
      marquee-player::part(play) { background: rgb(14, 15, 16) }
      marquee-player::part(settings) { width: 50px }`
    const { page } = await start('muted', { head: `<style>${style}</style>` })
    const styleOf = (selector: string, name: string) =>
      ask<string>(page, selector, `getComputedStyle(part).getPropertyValue('${name}').trim()`)
    await expect.poll(() => styleOf('[part=play]', 'background-color')).toBe('rgb(14, 15, 16)')
    await play(page)
    for (const [selector, name, value] of [
      ['marquee-player', 'background-color', 'rgb(10, 11, 12)'],
      ['marquee-player', 'color', 'rgb(4, 5, 6)'],
      ['marquee-player', 'border-top-left-radius', '13px'],
      ['marquee-player', 'font-family', 'monospace'],
      ['video', 'object-fit', 'cover'],
      ['media-time-range', '--media-range-bar-color', 'rgb(1, 2, 3)'],
      ['[part=menu]', 'background-color', 'rgb(7, 8, 9)'],
      ['[part=settings]', 'width', '50px'],
    ] as const)
      expect(await styleOf(selector, name), `${selector} ${name}`).toBe(value)
  })

  test('on a page from right to left, text and menus are too, and time is not', async () => {
    const { page } = await start('muted heading="فيلم"', { html: 'dir="rtl"' })
    const middle = async (selector: string) => {
      const { x, width } = (await page.locator(selector).first().boundingBox())!
      return x + width / 2
    }
    await page.evaluate(`globalThis.extentOf = (part) => {
      const range = document.createRange()
      range.selectNodeContents(part)
      return range.getBoundingClientRect()
    }`)
    const text = await ask<number>(page, '[part=heading]', 'extentOf(part).left')
    expect(text).toBeGreaterThan(await middle('marquee-player'))
    await play(page)
    await page.mouse.move(300, 300)
    expect(await middle('media-play-button')).toBeLessThan(await middle('media-fullscreen-button'))
    await page.keyboard.press('k')
    await page.keyboard.press('5')
    const { x, width, y, height } = (await page.locator('media-time-range').boundingBox())!
    await page.mouse.click(x + width * 0.25, y + height / 2)
    await expect.poll(() => look(page, ({ media }) => Math.round(media.currentTime))).toBe(15)

    await page.locator('[part=settings]').click()
    const quality = page.getByRole('menuitem', { name: 'Quality' })
    await quality.waitFor()
    const [item, value] = [await quality.boundingBox(), await quality.locator('span').boundingBox()]
    expect(value!.x + value!.width / 2).toBeLessThan(item!.x + item!.width / 2)
    // Inward is to the left.
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.getByRole('menuitemradio').count()).toBe(3)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.getByRole('menuitemradio').count()).toBe(0)
  })

  test('speaks the words that it is given, on its own parts and on those of media-chrome', async () => {
    const labels = {
      Play: 'Abspielen',
      Pause: 'Anhalten',
      Settings: 'Einstellungen',
      Quality: 'Auflösung',
      Speed: 'Tempo',
      Normal: 'Gewöhnlich',
      'enter fullscreen mode': 'Ganzer Bildschirm',
    }
    const service = await composeForTest(ONLY_WATCHED)
    const { post } = await publish(service)
    const script = `document.querySelector('marquee-player').labels = ${JSON.stringify(labels)}`
    const page = await stage.show(
      `${elementOf(service, `post="${post}" muted`)}<script type="module">${script}</script>`,
    )
    await page.getByRole('button', { name: 'Abspielen' }).first().click()
    await goesOn(page, 0.3)
    await page.mouse.move(300, 300)
    expect(await page.locator('media-play-button').getAttribute('aria-label')).toBe('Anhalten')
    expect(await page.locator('media-fullscreen-button').getAttribute('aria-label')).toBe('Ganzer Bildschirm')
    await page.getByRole('button', { name: 'Einstellungen' }).click()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Auflösung' }).count()).toBe(1)
    expect(await page.getByRole('menuitem', { name: 'Tempo' }).textContent()).toContain('Gewöhnlich')

    // Other words later, too.
    await page.keyboard.press('Escape')
    await look(page, (player) => {
      player.labels = { ...player.labels, Pause: 'Halt' }
    })
    await expect.poll(() => page.locator('media-play-button').getAttribute('aria-label')).toBe('Halt')
    await page.keyboard.press('k')
    await expect.poll(() => page.locator('media-play-button').getAttribute('aria-label')).toBe('Abspielen')
  })

  test('does not play by itself, and moves nothing else, where less motion is preferred', async () => {
    const { page } = await start('muted autoplay', { reducedMotion: 'reduce' })
    await expect.poll(() => look(page, ({ media }) => media.readyState)).toBeGreaterThanOrEqual(2)
    // Out of sight and back: that is when one that plays by itself would play.
    await page.setViewportSize({ width: 900, height: 100 })
    await page.setViewportSize({ width: 900, height: 700 })
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    expect(await look(page, ({ media }) => [media.paused, media.currentTime])).toEqual([true, 0])
    await play(page)
    expect(await countMoving(page, 'marquee-player')).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.reload()
    await goesOn(page, 0.3)
    expect(await countMoving(page, 'marquee-player')).toBeGreaterThan(0)
  })

  test('on a small screen the settings are a sheet, outside of the picture', async () => {
    const { page } = await start('muted', PHONE)
    await page.locator('[part=play]').tap()
    await goesOn(page, 0.3)
    expect(await axe(page)).toEqual([])
    await openSheet(page)
    expect(await axe(page)).toEqual([])
    const player = (await page.locator('marquee-player').boundingBox())!
    const sheet = (await page.locator('[part=menu]').boundingBox())!
    expect(sheet).toMatchObject({ x: 0, width: 360 })
    expect(sheet.y + sheet.height).toBe(640)
    expect(sheet.y).toBeGreaterThanOrEqual(player.y + player.height)
    for (const item of await page.getByRole('menuitem').all())
      expect((await item.boundingBox())!.height).toBeGreaterThanOrEqual(TARGET)
    for (const name of ['play', 'mute', 'captions', 'fullscreen']) {
      const button = (await page.locator(`media-${name}-button`).boundingBox())!
      expect(Math.min(button.width, button.height), name).toBeGreaterThanOrEqual(TARGET)
      expect(button.x + button.width, name).toBeLessThanOrEqual(360)
    }

    await page.getByRole('menuitem', { name: 'Quality' }).tap()
    await page.getByRole('menuitemradio', { name: '360p', exact: true }).tap()
    await expect.poll(() => look(page, ({ media }) => media.videoHeight)).toBe(360)
    // A touch beside it closes it and does nothing else; then it is the player's again.
    await page.touchscreen.tap(180, player.y + 60)
    await expect.poll(() => page.locator('[part=menu]').isVisible()).toBe(false)
    expect(await look(page, ({ media }) => media.paused)).toBe(false)
    await openSheet(page)
    await page.keyboard.press('Escape')
    expect(await page.locator('[part=menu]').isVisible()).toBe(false)
    expect(await ask(page, '[part=settings]', `part.matches(':focus')`)).toBe(true)

    // Where the screen has less room than it needs, it scrolls inside.
    await page.setViewportSize({ width: 360, height: 260 })
    await openSheet(page)
    await page.getByRole('menuitem', { name: 'Speed' }).tap()
    expect((await page.locator('[part=menu]').boundingBox())!.y).toBeGreaterThanOrEqual(0)
    expect(await ask(page, '[part=menu]', 'part.scrollHeight > part.clientHeight')).toBe(true)
    await page.getByRole('menuitemradio', { name: '2×' }).tap()
    expect(await look(page, ({ media }) => media.playbackRate)).toBe(2)
  })

  test('on a large one they are a menu in the player, which a click beside it closes', async () => {
    const { page } = await start()
    await play(page)
    await page.mouse.move(300, 300)
    await page.locator('[part=settings]').click()
    const player = (await page.locator('marquee-player').boundingBox())!
    const menu = (await page.locator('[part=menu]').boundingBox())!
    expect(menu.x).toBeGreaterThan(player.x + player.width / 2)
    expect(menu.y).toBeGreaterThan(player.y)
    expect(menu.y + menu.height).toBeLessThan(player.y + player.height - 48)
    await page.mouse.click(player.x + 100, player.y + 100)
    expect(await page.locator('[part=menu]').isVisible()).toBe(false)
    expect(await look(page, ({ media }) => media.paused)).toBe(false)
    await page.mouse.click(player.x + 100, player.y + 100)
    await expect.poll(() => look(page, ({ media }) => media.paused)).toBe(true)
  })
})

async function openSheet(page: Page): Promise<void> {
  // The controls step back while it plays.
  await ask(page, 'media-controller', `part.removeAttribute('userinactive')`)
  await page.locator('[part=settings]').tap()
  await expect.poll(() => page.locator('[part=menu]').isVisible()).toBe(true)
}

/** Answers that wait until they are let go. */
function hold() {
  let isHeld = true
  const waiting: Route[] = []
  return {
    keep: async (route: Route) => {
      if (isHeld) waiting.push(route)
      else await route.continue()
    },
    count: () => waiting.length,
    async release() {
      isHeld = false
      await Promise.all(waiting.map((route) => route.continue()))
    },
  }
}
