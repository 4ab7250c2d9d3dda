import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { countMoving } from '../support/player/element.ts'
import {
  expectPlaying,
  expectPost,
  type FeedSite,
  look,
  openFeedSite,
  publishPosts,
  videos,
} from '../support/player/feed-page.ts'

const VIDEOS = (count: number) => Array.from({ length: count }, () => 'video' as const)

describe.skipIf(!hasBrowser)('a vertical feed', () => {
  let site: FeedSite
  beforeAll(async () => {
    site = await openFeedSite()
  })
  afterAll(() => site?.close())

  /** A finger on the screen, from one height to another. */
  async function swipe(session: CDPSession, from: number, to: number): Promise<void> {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...heights: number[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: heights.map((y) => ({ x: 180, y })) })
    await touch('touchStart', from)
    for (let step = 1; step <= 16; step++) await touch('touchMove', from + ((to - from) * step) / 16)
    await touch('touchEnd')
  }

  const playing = async (page: Page) =>
    (await videos(page)).filter(({ isPlaying }) => isPlaying).map(({ post }) => post)

  test('plays the first post, and has the beginning of the next two before they are seen', async () => {
    const service = await site.compose()
    const { feed } = await publishPosts(service, VIDEOS(5))
    const { data } = (await service.api.get(`/feeds/${feed}`)).body
    const addresses = data.map(({ video }) => new URL(video!.file.url).pathname)
    const attributes = `feed="${feed}" key="${service.seed.publishable_key}"`
    const { page } = await site.open(service, attributes, { before: '<div style="height:3000px">Text</div>' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await expect.poll(() => page.evaluate(`customElements.get('marquee-feed') !== undefined`)).toBe(true)
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])

    await look(page, (element) => element.scrollIntoView())
    await expectPlaying(page, '1')
    const segments = (i: number) =>
      asked.filter((path) => path.startsWith(addresses[i]!) && /\/v\d+\/\d+\.m4s$/.test(path))
    await expect
      .poll(async () => (await videos(page)).map(({ post, isReady }) => [post, isReady]))
      .toEqual([
        ['1', true],
        ['2', true],
        ['3', true],
      ])
    for (const i of [1, 2]) expect(segments(i).length).toBeGreaterThan(0)
    // No more of them than the beginning, and nothing of those behind.
    for (const i of [1, 2]) expect(new Set(segments(i)).size).toBeLessThanOrEqual(1)
    expect(asked.filter((path) => path.startsWith(addresses[3]!))).toEqual([])
    expect(await playing(page)).toEqual(['1'])

    await look(page, (element) => element.next())
    await expectPlaying(page, '2')
    await expect.poll(() => asked.some((path) => path.startsWith(addresses[3]!))).toBe(true)
    expect(
      await look(page, ({ shadowRoot }) => shadowRoot.querySelectorAll('video').length),
    ).toBeLessThanOrEqual(3)
  })

  test('goes by keys, by buttons and by its methods, with images between videos', async () => {
    const { page } = await site.start(['video', 'image', 'video', 'image', 'video'])
    await expectPlaying(page, '1')
    for (const [key, post] of [
      ['ArrowDown', '2'],
      ['PageDown', '3'],
      ['ArrowUp', '2'],
      ['PageUp', '1'],
    ] as const) {
      await page.keyboard.press(key)
      await expectPost(page, post)
    }
    await expectPlaying(page, '1')
    await page.keyboard.press('ArrowDown')
    await expectPost(page, '2')
    // An image is shown in the size of the screen, and nothing plays.
    expect(await playing(page)).toEqual([])
    const image = page.locator('.current img[part=image]')
    await expect
      .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0)
    expect(await image.getAttribute('src')).toMatch(/\?w=480$/)

    // On a small screen it is there for those who use keys or hear the page.
    await page.getByRole('button', { name: 'Next post' }).press('Enter')
    await expectPlaying(page, '3')
    await look(page, (feed) => feed.next())
    await expectPost(page, '4')
    await look(page, (feed) => feed.previous())
    await expectPlaying(page, '3')
    await page.keyboard.press('Home')
    await expectPlaying(page, '1')
    // Somebody in a hurry.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expectPlaying(page, '3')
    // Behind the last there is nothing.
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('ArrowDown')
      await expectPost(page, i === 0 ? '4' : '5')
    }
    await expectPlaying(page, '5')
    expect(await page.getByRole('button', { name: 'Next post' }).getAttribute('aria-disabled')).toBe('true')
  })

  test('shows what the page reads for it: a private feed by a token, in another order', async () => {
    const service = await site.compose()
    const { feed } = await publishPosts(service, ['video', 'image', 'video'])
    const token = await service.tokenFor(service.seed.owner_email)
    const before = `<script type="module">
      globalThis.asked = []
      document.querySelector('marquee-feed').readPage = async (cursor, signal) => {
        asked.push([cursor, signal.aborted])
        if (asked.length === 1) throw new Error('for the moment')
        const headers = { authorization: 'Bearer ${token}', 'x-project-id': '${service.seed.project_id}' }
        const response = await fetch('${service.url}/feeds/${feed}?limit=2' + (cursor ? '&cursor=' + cursor : ''), { headers })
        const page = await response.json()
        return { ...page, data: page.data.toReversed() }
      }
    </script>`
    const { page } = await site.open(service, `feed="${feed}"`, { before })
    await expectPost(page, '2')
    await look(page, (element) => element.next())
    await expectPlaying(page, '1')
    await look(page, (element) => element.next())
    await expectPlaying(page, '3')
    expect(await page.evaluate('asked')).toEqual([
      [null, false],
      [null, false],
      [expect.any(String), false],
    ])
    await page.reload()
    await expectPlaying(page, '3')
  })

  test('goes one post at a time by swipes of a finger', async () => {
    const { page, context } = await site.start(['video', 'video', 'image', 'video'], {
      hasTouch: true,
      isMobile: true,
    })
    await expectPlaying(page, '1')
    const session = await context.newCDPSession(page)
    await swipe(session, 600, 200)
    await expectPlaying(page, '2')
    await expectPost(page, '2')
    await swipe(session, 600, 200)
    await expectPost(page, '3')
    await swipe(session, 200, 600)
    await expectPlaying(page, '2')
    // However far it goes, to the next one.
    await swipe(session, 700, 10)
    await expectPost(page, '3')
  })

  test('pauses what is not seen, and at a tap; silence ends for all at once', async () => {
    const { page } = await site.start(['video', 'video', 'image'], {
      after: '<div style="height:3000px">Text</div>',
      hasTouch: true,
    })
    await expectPlaying(page, '1')
    expect((await videos(page)).map(({ isMuted }) => isMuted)).toEqual([true, true])
    await page.touchscreen.tap(180, 300)
    await expect.poll(() => playing(page)).toEqual([])
    expect(await page.getByRole('button', { name: 'Play', exact: true }).isVisible()).toBe(true)
    await page.touchscreen.tap(180, 300)
    await expectPlaying(page, '1')

    await page.getByRole('button', { name: 'Unmute' }).tap()
    expect((await videos(page)).map(({ isMuted }) => isMuted)).toEqual([false, false])
    await look(page, (feed) => feed.next())
    await expectPlaying(page, '2')
    expect(await look(page, ({ muted }) => muted)).toBe(false)
    await page.locator('marquee-feed').press('m')
    expect((await videos(page)).every(({ isMuted }) => isMuted)).toBe(true)
    await page.locator('.current').press(' ')
    await expect.poll(() => playing(page)).toEqual([])
    await page.locator('.current').press(' ')
    await expectPlaying(page, '2')

    await page.evaluate('scrollTo(0, 2000)')
    await expect.poll(() => playing(page)).toEqual([])
    await page.evaluate('scrollTo(0, 0)')
    await expectPlaying(page, '2')

    // As in the background, where a browser without windows has no page.
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => playing(page)).toEqual([])
    await page.evaluate(`delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))`)
    await expectPlaying(page, '2')
  })

  test('plays nothing by itself where less motion is preferred', async () => {
    const { page } = await site.start(['video', 'video'], { reducedMotion: 'reduce' })
    await expect.poll(async () => (await videos(page))[1]?.isReady).toBe(true)
    expect(await playing(page)).toEqual([])
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expectPlaying(page, '1')
    await page.keyboard.press('ArrowDown')
    await expectPost(page, '2')
    await expect.poll(() => playing(page)).toEqual([])
    expect(await countMoving(page, 'marquee-feed')).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await countMoving(page, 'marquee-feed')).toBeGreaterThan(0)
  })

  test('tells which post is seen, and a tracker what is watched', async () => {
    const { page, media } = await site.start(['video', 'image', 'video'])
    await expectPlaying(page, '1')
    await look(page, (feed) => {
      const log: unknown[] = []
      Object.assign(globalThis, { log })
      feed.tracker = {
        attach(_: unknown, { contentId, feedId }: { contentId: string; feedId: string }) {
          log.push(['attach', contentId, feedId.slice(0, 5)])
          return () => log.push(['detach', contentId])
        },
      }
    })
    const log = () => page.evaluate('log')
    expect(await log()).toEqual([['attach', media[0], 'feed_']])
    await page.keyboard.press('ArrowDown')
    await expectPost(page, '2')
    expect(await log()).toEqual([
      ['attach', media[0], 'feed_'],
      ['detach', media[0]],
    ])
    await page.keyboard.press('ArrowDown')
    await expectPlaying(page, '3')
    await look(page, (feed) => feed.remove())
    await expect
      .poll(async () => ((await log()) as unknown[]).slice(2))
      .toEqual([
        ['attach', media[2], 'feed_'],
        ['detach', media[2]],
      ])
    expect(await page.evaluate('seen')).toEqual(['1', '2', '3'])
  })
})
