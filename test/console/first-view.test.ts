import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { visitConsole } from '../support/console/console.ts'

/** Bytes of script as they came over the wire, those of chunks that a page loads by itself as well. As text: it runs in the page. */
const SCRIPTS = `performance.getEntriesByType('resource')
  .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
  .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`

describe.skipIf(!hasBrowser)('the first view of the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('loads at most 150 KB of script, with all that the pages where people begin load by themselves', async () => {
    const { page, go, service } = await visitConsole(browser)
    for (const [path, shown] of [
      ['start', 'Start'],
      ['library', 'Library'],
      ['feeds', 'Feeds'],
    ] as const) {
      await go(path)
      await page.getByRole('heading', { name: shown, exact: true, level: 1 }).waitFor()
      await expectLight(page, path)
    }
    const stranger = await browser.newPage()
    await stranger.goto(`${service.url}/console/`)
    await stranger.getByLabel('Email').waitFor()
    await expectLight(stranger, 'sign-in')
    await stranger.close()
  })

  test('what is loaded when it is first wanted is shown to be on its way', async () => {
    const { page, go } = await visitConsole(browser)
    await go('settings/account')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const line = page.getByRole('progressbar', { name: 'Loading' })
    await line.waitFor({ state: 'detached' })
    for (const [chunk, open, shown] of [
      ['menu-popup', page.getByRole('button', { name: 'Account' }), page.getByRole('menu')],
      ['commands', page.getByRole('button', { name: 'Search' }), page.getByRole('dialog')],
      [
        'feeds-page',
        page.getByRole('link', { name: 'Feeds' }),
        page.getByRole('heading', { name: 'Feeds', exact: true }),
      ],
    ] as const) {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(new RegExp(`/${chunk}-[^/]*\\.js$`), async (route) => {
        await released
        await route.continue()
      })
      await open.click()
      await line.waitFor()
      expect(await shown.count(), chunk).toBe(0)
      release()
      await shown.waitFor()
      await line.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
  })
})

async function expectLight(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  const scripts = await page.evaluate<[string, number][]>(SCRIPTS)
  const list = scripts.map(([file, bytes]) => `${file} ${bytes}`).join('\n')
  expect(scripts.length, name).toBeGreaterThan(1)
  // What came from a cache has its size as well; of none would be what is not of this origin.
  expect(Math.min(...scripts.map(([, bytes]) => bytes)), list).toBeGreaterThan(0)
  expect(
    scripts.reduce((sum, [, bytes]) => sum + bytes, 0),
    `${name}\n${list}`,
  ).toBeLessThanOrEqual(150_000)
}
