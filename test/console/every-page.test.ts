import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { shoot, type Visit, visitConsole } from '../support/console/console.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

const SECTIONS = [
  'keys',
  'members',
  'policies',
  'projects',
  'webhooks',
  'signing-keys',
  'plan',
  'billing',
  'requests',
  'audit',
  'account',
]
const PHONE = { width: 360, height: 740 }
/** Only looked at, where somebody wants pictures: nothing else depends on the width. */
const WIDER = process.env.MARQUEE_TEST_SHOTS ? [768, 1440] : []

/** What is wider than the screen, or too small for a thumb. As text: it runs in the page. */
const MISFITS = `(() => {
  const found = []
  const wide = document.documentElement.scrollWidth
  if (wide > innerWidth) found.push('the page is ' + wide + ' wide')
  for (const one of document.querySelectorAll('main button, main [role=tab], nav a, main select')) {
    const { width, height } = one.getBoundingClientRect()
    const isShown = width > 1 && height > 1 && one.checkVisibility({ visibilityProperty: true })
    if (isShown && Math.max(width, height) < 44)
      found.push((one.getAttribute('aria-label') ?? one.innerText) + ': ' + width + ' × ' + height)
  }
  return found
})()`

describe.skipIf(!hasBrowser)('every page of the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  /** Pages by what a picture of them is called. */
  const empty = {
    start: 'start',
    library: 'library',
    feeds: 'feeds',
    analytics: 'analytics',
    funnels: 'analytics/funnels',
  }

  async function fill({ api, projectId }: Visit): Promise<Record<string, string>> {
    const video = await videoUploaderOf(api).upload(await clip(4))
    const image = await uploaderOf(api).upload(await smallJpeg())
    const feed = await api.post('/feeds', { name: 'Short films about the harbour' })
    await authorOf(api, projectId, feed.body.id).post(await smallJpeg(), { description: 'A pier at noon' })
    return {
      ...empty,
      video: `videos/${video.id}`,
      image: `images/${image.body.id}`,
      feed: `feeds/${feed.body.id}`,
      components: 'components',
      ...Object.fromEntries(SECTIONS.map((section) => [`settings-${section}`, `settings/${section}`])),
    }
  }

  const misfits = (page: Page): Promise<string[]> => page.evaluate(MISFITS)

  async function settled(page: Page): Promise<void> {
    await page.locator('main').waitFor()
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => {})
    await page
      .locator('[aria-busy=true]')
      .first()
      .waitFor({ state: 'detached', timeout: 5000 })
      .catch(() => {})
  }

  async function look(
    visit: Visit,
    pages: Record<string, string>,
    state: string,
    ready = settled,
  ): Promise<void> {
    const { page, go } = visit
    for (const [name, path] of Object.entries(pages)) {
      await page.setViewportSize(PHONE)
      await go(path)
      await ready(page)
      expect(await misfits(page), `${name}, ${state}`).toEqual([])
      for (const width of [PHONE.width, ...WIDER])
        for (const colorScheme of ['light', 'dark'] as const) {
          if (!process.env.MARQUEE_TEST_SHOTS) continue
          await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
          await page.emulateMedia({ colorScheme })
          await page.waitForTimeout(150)
          await shoot(page, `${name}-${state}-${width}-${colorScheme}`)
        }
    }
  }

  test('fits a phone, with nothing in it and with something', { timeout: 600_000 }, async () => {
    const visit = await visitConsole(browser, { viewport: PHONE, hasTouch: true })
    await look(visit, empty, 'empty')
    await look(visit, await fill(visit), 'full')
  })

  test('has its form while it loads; says what failed where it failed', { timeout: 600_000 }, async () => {
    const visit = await visitConsole(browser, { viewport: PHONE, hasTouch: true })
    const { page } = visit
    const pages = await fill(visit)
    const isData = (url: URL) => !/\/(console|auth|sdk|cdn|organization)/.test(url.pathname)

    // Answers that do not come: of everything but who it is that looks.
    const isSlow = (url: URL) => !/\/(console|auth|sdk)|\/organization\/v1$/.test(url.pathname)
    await page.route(isSlow, () => {})
    const { components: _, start: __, ...loading } = pages
    await look(visit, loading, 'loading', async () => {
      await page.locator('main > *').first().waitFor()
      await page.waitForTimeout(400)
    })
    await page.unroute(isSlow)

    await page.route(isData, (route) =>
      route.fulfill({
        status: 500,
        json: { code: 500, error: 'Internal server error' },
        headers: { 'x-request-id': 'req_of_the_answer' },
      }),
    )
    const failing = ['library', 'feeds', 'video', 'image', 'feed']
    await look(visit, Object.fromEntries(failing.map((name) => [name, pages[name]!])), 'failed')
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    await page.unroute(isData)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('A pier at noon').first().waitFor()
  })
})
