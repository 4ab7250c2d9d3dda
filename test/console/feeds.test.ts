import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { shoot, visitConsole } from '../support/console/console.ts'
import { publishPosts } from '../support/player/feed-page.ts'

describe.skipIf(!hasBrowser)('feeds in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('a feed is made, put into order, and seen as everybody sees it', async () => {
    const { page, service, api, go } = await visitConsole(browser, { env: { MARQUEE_ROLES: 'api' } })
    await prepareAxe(page)
    await go('feeds')
    await page.getByRole('button', { name: 'Create a feed' }).click()
    await page.getByLabel('Name').fill('Short films')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Short films' }).waitFor()
    await page.getByText('Nothing published yet').waitFor()

    const { feed } = await publishPosts({ ...service, api }, ['image', 'image', 'video'], {
      visibility: 'public',
    })
    const order = async () =>
      (await api.get(`/feeds/${feed}`)).body.data.map(
        ({ description }: { description: string }) => description,
      )
    await go(`feeds/${feed}`)
    await page.getByRole('button', { name: 'Actions on 3' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await expect.poll(order).toEqual(['1', '3', '2'])
    await page.getByRole('button', { name: 'Actions on 1' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('Taken out of the feed').waitFor()
    await expect.poll(order).toEqual(['3', '2'])
    await expect.poll(() => page.locator('main ol li a').allTextContents()).toEqual(['3', '2'])

    // The preview is the feed itself, playing.
    const playing = () =>
      page
        .locator('marquee-feed video')
        .evaluateAll((videos) => videos.some((video) => !(video as unknown as { paused: boolean }).paused))
    await expect.poll(playing).toBe(true)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Colours change in a moment, not at once.
      await expect.poll(() => violationsIn(page)).toEqual([])
      await shoot(page, `feed-${colorScheme}`)
    }
    await page.setViewportSize({ width: 360, height: 740 })
    await shoot(page, 'feed-small')
    await go('feeds')
    await page.getByText('Shorts').waitFor()
    expect(await violationsIn(page)).toEqual([])
    await shoot(page, 'feeds-small')
    await page.setViewportSize({ width: 1440, height: 900 })
    await shoot(page, 'feeds')
  })
})
