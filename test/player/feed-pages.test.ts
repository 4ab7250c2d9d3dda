import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe } from '../support/axe.ts'
import { hasBrowser } from '../support/browser.ts'
import {
  expectPlaying,
  expectPost,
  type FeedSite,
  type Kind,
  look,
  openFeedSite,
  publishPosts,
  seen,
  videos,
} from '../support/player/feed-page.ts'

const POSTS = process.env.MARQUEE_TEST_LONG ? 500 : 50
/** One in so many posts is a video. */
const VIDEO_EVERY = 10
/** Measured twice, among the same images: after some posts, and before the last ones. */
const BEGINNING = POSTS / 5 + VIDEO_EVERY / 2
const END = POSTS - VIDEO_EVERY / 2

const images = (count: number): Kind[] => Array.from({ length: count }, () => 'image')

describe.skipIf(!hasBrowser)('a feed of many posts', () => {
  let site: FeedSite
  beforeAll(async () => {
    site = await openFeedSite()
  })
  afterAll(() => site?.close())

  async function go(page: Page, key: 'ArrowDown' | 'ArrowUp', to: number): Promise<void> {
    for (let at = Number(await seen(page)); at !== to; at = Number(await seen(page))) {
      await page.keyboard.press(key)
      await expect.poll(() => seen(page)).not.toBe(String(at))
    }
    await expectPost(page, String(to))
  }

  /** What the page holds once everything that can go is gone. */
  async function measure(session: CDPSession) {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { nodes } = await session.send('Memory.getDOMCounters')
    return { megabytes: usedSize / 2 ** 20, nodes }
  }

  test('is scrolled from end to end with three videos and flat memory', { timeout: 900_000 }, async () => {
    const kinds = Array.from({ length: POSTS }, (_, i): Kind => (i % VIDEO_EVERY < 3 ? 'video' : 'image'))
    const { page, context } = await site.start(kinds, { seconds: 2 })
    const session = await context.newCDPSession(page)
    await expectPlaying(page, '1')
    const counts = () =>
      look(
        page,
        ({ shadowRoot }) =>
          [
            shadowRoot.querySelectorAll('video').length,
            shadowRoot.querySelectorAll('article').length,
          ] as const,
      )
    let before: Awaited<ReturnType<typeof measure>> | undefined
    for (let at = 1; at < POSTS; at++) {
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => seen(page), { interval: 10 }).toBe(String(at + 1))
      const [players, articles] = await counts()
      expect(players).toBeLessThanOrEqual(3)
      expect(articles).toBeLessThanOrEqual(6)
      if (at === BEGINNING) before = await measure(session)
      if (at === END) await expectNoMore(session, before!)
    }
    expect(await page.evaluate('seen')).toEqual(kinds.map((_, i) => String(i + 1)))
  })

  /** What a page of posts and the names of those passed may differ by, and nothing that grows with the feed. */
  async function expectNoMore(session: CDPSession, before: Awaited<ReturnType<typeof measure>>) {
    // What a player has let go of may take more than one collection to go.
    const more = async () => {
      const after = await measure(session)
      return Math.max((after.megabytes - before.megabytes) / 0.5, (after.nodes - before.nodes) / 200)
    }
    await expect.poll(more).toBeLessThan(1)
  }

  test('goes on where it was after the page is loaded again', async () => {
    const { page, service, feed, open } = {
      ...site,
      ...(await site.start([...images(30), 'video', ...images(14)])),
    }
    const requests: string[] = []
    page.on('request', (request) => request.url().includes('/feeds/') && requests.push(request.url()))
    await expectPost(page, '1')
    await go(page, 'ArrowDown', 31)
    await expectPlaying(page, '31')
    await expect.poll(async () => (await videos(page))[0]?.time).toBeGreaterThan(2)
    requests.length = 0
    await page.reload()
    await expectPlaying(page, '31')
    expect((await videos(page))[0]!.time).toBeGreaterThan(2)
    expect(requests[0]).toContain('cursor=')
    // Back before the page that it began with, and to the end.
    await go(page, 'ArrowUp', 1)
    await go(page, 'ArrowDown', 45)
    await page.reload()
    await expectPost(page, '45')

    // What was there before may be gone; then it begins near it.
    const { data } = (await service.api.get(`/feeds/${feed}?limit=100`)).body
    await service.api.delete(`/images/${data[44]!.image_id}`)
    await page.reload()
    await expectPost(page, '41')
    const other = await open(service, `feed="${feed}" key="${service.seed.publishable_key}" resume="none"`)
    await expectPost(other.page, '1')
    await go(other.page, 'ArrowDown', 3)
    await other.page.reload()
    await expectPost(other.page, '1')
  })

  test('waits for a network that went away, and goes on by itself', async () => {
    const { page, context } = await site.start([...images(28), 'video', 'image', 'video'])
    await expectPost(page, '1')
    await context.setOffline(true)
    // What is loaded can be seen; then there is nothing until the network is back.
    for (let i = 0; i < 19; i++) {
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => seen(page)).toBe(String(i + 2))
    }
    await page.keyboard.press('ArrowDown')
    const pending = page.locator('[part~=pending] [part=error]')
    await expect.poll(() => pending.isVisible()).toBe(true)
    expect(await pending.textContent()).toContain('The connection was lost.')
    await context.setOffline(false)
    await expectPost(page, '21')
    expect(await pending.isVisible()).toBe(false)
    await go(page, 'ArrowDown', 29)
    await expectPlaying(page, '29')
    await go(page, 'ArrowDown', 31)
    await expectPlaying(page, '31')
  })

  test('leaves out what was deleted meanwhile, and says what cannot be played', async () => {
    const kinds: Kind[] = ['image', 'image', 'image', 'video', 'video', 'video', 'image', 'image']
    const { page, service, media } = await site.start(kinds)
    await expectPost(page, '1')
    const { body: broken } = await service.api.get(`/videos/${media[5]}`)
    const isBroken = (url: URL) => url.pathname.startsWith(new URL(broken.file.url).pathname)
    await page.route(isBroken, (route) =>
      route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } }),
    )
    await service.api.delete(`/videos/${media[3]}`)
    await service.api.delete(`/images/${media[6]}`)
    await go(page, 'ArrowDown', 3)
    await page.keyboard.press('ArrowDown')
    await expectPlaying(page, '5')
    await go(page, 'ArrowDown', 6)
    const error = page.locator('.current [part=error]')
    await expect.poll(() => error.locator('p').textContent()).toBe('This video is not available.')
    expect(await axe(page)).toEqual([])
    // The next one is a swipe away.
    await go(page, 'ArrowDown', 8)
    await go(page, 'ArrowUp', 6)
    await page.unroute(isBroken)
    await error.getByRole('button', { name: 'Try again' }).click()
    await expectPlaying(page, '6')
    expect(await error.isVisible()).toBe(false)
    expect(await page.locator('.current').getAttribute('aria-posinset')).toBe('5')
    for (const gone of ['4', '7'])
      expect(await page.getByRole('article', { name: `ada ${gone}` }).count()).toBe(0)
  })

  test('says that a feed is empty, or not to be had', async () => {
    const service = await site.compose()
    const { feed } = await publishPosts(service, [])
    const key = `key="${service.seed.publishable_key}"`
    const { page } = await site.open(service, `feed="${feed}" ${key}`)
    const empty = page.locator('[part=empty]')
    await expect.poll(() => empty.isVisible()).toBe(true)
    await look(page, (element) => {
      element.labels = { 'There are no posts yet.': 'Noch nichts da.' }
    })
    expect(await empty.textContent()).toBe('Noch nichts da.')
    expect(await axe(page)).toEqual([])

    const { page: other } = await site.open(service, `feed="${feed}"`)
    const error = other.locator('[part~=pending] [part=error]')
    await expect.poll(() => error.isVisible()).toBe(true)
    expect(await error.locator('p').textContent()).toBe('This feed is not available.')
    expect(await error.locator('small').textContent()).toMatch(/Not Found · \S+/)
    expect(await axe(other)).toEqual([])
    // Now it is for everybody.
    await service.api.put(`/feeds/${feed}`, { visibility: 'public' })
    await other.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => other.locator('[part=empty]').isVisible()).toBe(true)
  })

  test('a public feed needs no key; axe finds nothing on any of its posts, in either direction', async () => {
    const service = await site.compose()
    const { feed } = await publishPosts(service, ['video', ...images(24)], { visibility: 'public' })
    for (const dir of ['ltr', 'rtl'] as const) {
      const { page } = await site.open(service, `feed="${feed}"`, { dir })
      await expectPlaying(page, '1')
      expect(await axe(page)).toEqual([])
      await page.keyboard.press(' ')
      await page.keyboard.press('ArrowDown')
      await expectPost(page, '2')
      expect(await axe(page)).toEqual([])
      const article = page.getByRole('article', { name: 'ada 2' })
      expect(await article.getAttribute('aria-posinset')).toBe('2')
      expect(await article.getAttribute('aria-setsize')).toBe('25')
      if (dir === 'ltr') await go(page, 'ArrowDown', 25)
    }
  })
})
