import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { noDialog, shoot, signIn, type Visit, visitConsole } from '../support/console/console.ts'
import { uploaderOf } from '../support/media.ts'
import { publishPosts } from '../support/player/feed-page.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addMember } from '../support/world.ts'

const env = { MARQUEE_ROLES: 'api', MARQUEE_LIMIT_KEY_PER_MINUTE: '0' }

describe.skipIf(!hasBrowser)('feeds in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('a feed is made and filled from the library, without leaving its page', async () => {
    const { page, api, go } = await visitConsole(browser, { env })
    await prepareAxe(page)
    for (const name of ['lighthouse', 'port-quay', 'port-pier'])
      await uploaderOf(api).upload(await scene(160, 90).jpeg().toBuffer(), `${name}.jpg`)
    await go('feeds')
    await shoot(page, 'feeds-empty')
    await page.getByRole('button', { name: 'Create a feed' }).click()
    await page.getByLabel('Name').fill('Short films')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Short films' }).waitFor()
    await page.getByText('Nothing published yet').waitFor()
    await checkLooks(page, 'feed-empty')

    await page.getByRole('button', { name: 'Add from the library' }).click()
    const dialog = page.getByRole('dialog')
    const item = (name: string) => dialog.getByRole('checkbox', { name })
    await item('lighthouse.jpg').waitFor()
    await dialog.getByLabel('Search the library').fill('port-')
    // By keys from here on: what is chosen first is first in the feed.
    await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await dialog.getByText('2 chosen').waitFor()
    await dialog.getByLabel('Kind').focus()
    await dialog.getByLabel('Kind').selectOption('video')
    await dialog.getByText('Nothing matches').waitFor()
    await dialog.getByLabel('Kind').selectOption('')
    await item('port-pier.jpg').waitFor()
    await checkLooks(page, 'feed-picker')
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 posts added.').waitFor()
    const feed = page.url().split('/').at(-1)!
    const names = async () =>
      (await api.get(`/feeds/${feed}`)).body.data.map(
        (post: { image: { file: { name: string } } }) => post.image.file.name,
      )
    expect(await names()).toEqual(['port-pier.jpg', 'port-quay.jpg'])
    await expect.poll(() => page.locator('main ol li').count()).toBe(2)

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(names).toEqual([])
    await page.getByText('Nothing published yet').waitFor()
    await page.getByRole('button', { name: 'Add from the library' }).click()
    await item('lighthouse.jpg').click({ force: true })
    await dialog.getByRole('button', { name: 'Add 1 post' }).click()
    await expect.poll(names).toEqual(['lighthouse.jpg'])
    await page.getByRole('button', { name: 'Add from the library' }).click()
    await dialog.getByText('In the feed').waitFor()
    await page.keyboard.press('Escape')
    await noDialog(page)
  })

  test('who may see one kind of media adds that kind', async () => {
    const { page, service, tenant, api, projectId } = await visitConsole(browser)
    await uploaderOf(api).upload(await scene(160, 90).jpeg().toBuffer(), 'pier.jpg')
    await videoUploaderOf(api).upload(await clip(), { file_name: 'film.mp4' })
    const { body: feed } = await api.post('/feeds', { name: 'Both' })
    const { body: films } = await api.post('/feeds', {
      name: 'Films',
      allow_videos: true,
      allow_images: false,
    })
    const permissions = ['feeds:read', 'posts:read', 'posts:write', 'images:read']
    await addMember(service, tenant, 'author@acme.example', permissions)
    await page.context().clearCookies()
    await signIn(page, service, 'author@acme.example')
    await page.goto(`${service.url}/console/${projectId}/feeds/${feed.id}`)
    await page.getByRole('button', { name: 'Add from the library' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'pier.jpg' }).click({ force: true })
    expect(await dialog.getByRole('checkbox').count()).toBe(1)
    await dialog.getByRole('button', { name: 'Add 1 post' }).click()
    await page.getByText('1 post added.').waitFor()
    await page.goto(`${service.url}/console/${projectId}/feeds/${films.id}`)
    await page.getByText('Nothing published yet').waitFor()
    expect(await page.getByRole('button', { name: 'Add from the library' }).count()).toBe(0)
  })

  test('posts are put into order by pulling, by keys and by menus, published and unpublished', async () => {
    const visit = await visitConsole(browser, { env })
    const { page, service, api, go } = visit
    await prepareAxe(page)
    const { feed } = await publishPosts({ ...service, api }, ['image', 'image', 'video'])
    const order = async () =>
      (await api.get(`/feeds/${feed}`)).body.data.map(
        ({ description }: { description: string }) => description,
      )
    const shown = () => page.locator('main ol li a').allTextContents()
    await go(`feeds/${feed}`)
    await page.getByRole('button', { name: 'Actions on 3' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await expect.poll(shown).toEqual(['1', '3', '2'])
    await expect.poll(order).toEqual(['1', '3', '2'])

    // Keys: up by two, back by Escape, then for good; the focus stays on it.
    const handle = (title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true })
    const said = page.locator('[aria-live=assertive]')
    await handle('2').focus()
    await page.keyboard.press('Space')
    await expect.poll(() => said.textContent()).toBe('2 is picked up, number 3 of 3.')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => said.textContent()).toBe('Number 1 of 3.')
    await page.emulateMedia({ colorScheme: 'light' })
    await shoot(page, 'feed-held')
    await page.keyboard.press('Escape')
    await expect.poll(() => said.textContent()).toBe('2 is put back, number 3.')
    expect(await order()).toEqual(['1', '3', '2'])
    await page.keyboard.press('Space')
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await expect.poll(() => said.textContent()).toBe('2 is dropped, number 1 of 3.')
    await expect.poll(order).toEqual(['2', '1', '3'])
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move 2')
    await page.getByText('2 is number 1 now.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(order).toEqual(['1', '3', '2'])
    await expect.poll(shown).toEqual(['1', '3', '2'])

    // The mouse: from the last to the first.
    await pull(page, handle('2'), handle('1'))
    await expect.poll(shown).toEqual(['2', '1', '3'])
    await expect.poll(order).toEqual(['2', '1', '3'])

    // The preview is the feed itself, playing, though nobody may read it without a key.
    // It begins anew with each order; its last post is the video.
    await expect
      .poll(async () => {
        await page.locator('marquee-feed').getByRole('button', { name: 'Next post' }).press('Enter')
        return isPlaying(page)
      })
      .toBe(true)
    await checkLooks(page, 'feed')

    await page.getByRole('button', { name: 'Actions on 3' }).click()
    await page.getByRole('menuitem', { name: 'Unpublish' }).click()
    await page.getByText('it is a draft now').waitFor()
    await expect.poll(order).toEqual(['2', '1'])
    await page.getByRole('tab', { name: 'Drafts 1' }).click()
    await page.waitForURL(/tab=draft/)
    await page.reload()
    // Drafts as they would be.
    await page.getByRole('heading', { name: 'As a phone would show it' }).waitFor()
    await expect.poll(() => isPlaying(page)).toBe(true)
    await checkLooks(page, 'feed-drafts')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect.poll(order).toEqual(['2', '1', '3'])
    await page.getByText('No drafts').waitFor()
    await page.getByRole('tab', { name: 'Published 3' }).click()

    await page.getByRole('button', { name: 'Actions on 1' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('Taken out of the feed').waitFor()
    await expect.poll(order).toEqual(['2', '3'])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(order).toEqual(['2', '1', '3'])
    await expect.poll(shown).toEqual(['2', '1', '3'])

    // What the service refuses is taken back, and said.
    await page.route('**/move', (route) =>
      route.fulfill({ status: 409, json: { code: 409, error: 'Conflict', details: 'ask again' } }),
    )
    await pull(page, handle('3'), handle('2'))
    await page.getByText('The post was not moved').waitFor()
    await expect.poll(shown).toEqual(['2', '1', '3'])
  })

  test('a finger puts posts into order on a phone', async () => {
    const visit = await visitConsole(browser, {
      env,
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    })
    const { page, service, api, go } = visit
    const { feed } = await publishPosts({ ...service, api }, ['image', 'image', 'image'])
    await go(`feeds/${feed}`)
    const handle = page.getByRole('button', { name: 'Move 3', exact: true })
    await handle.waitFor()
    await shoot(page, 'feed-360')
    const [from, to] = [
      await centre(handle),
      await centre(page.getByRole('button', { name: 'Move 1', exact: true })),
    ]
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: from.x, y }],
      })
    await touch('touchStart', from.y)
    for (let step = 1; step <= 8; step++) await touch('touchMove', from.y + ((to.y - from.y) * step) / 8)
    await shoot(page, 'feed-360-pulled')
    await touch('touchEnd')
    await expect.poll(() => page.locator('main ol li a').allTextContents()).toEqual(['3', '1', '2'])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await checkStates(visit, feed)
  })
})

const isPlaying = (page: Page) =>
  page
    .locator('marquee-feed video')
    .evaluateAll((videos) => videos.some((video) => !(video as unknown as { paused: boolean }).paused))

async function centre(element: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await element.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

async function pull(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await centre(from), await centre(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x, (start.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(start.x, end.y, { steps: 4 })
  await page.mouse.up()
}

/** Nothing that axe has anything against, in light and in dark. */
async function checkLooks(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(SETTLED)
    await shoot(page, `${name}-${colorScheme}`)
    expect(await violationsIn(page), name).toEqual([])
  }
}

/** Colours go over into each other; what is between them is nobody's. */
const SETTLED = `Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition)
  .map(({ finished }) => finished.catch(() => {}))).then(() => {})`

/** While it is loaded, and where it fails: the service's own words, in the place of the posts, with a way on. */
async function checkStates({ page, go }: Visit, feed: string): Promise<void> {
  const posts = `**/feeds/${feed}/posts?*`
  let answer: 'late' | 'failed' | undefined = 'late'
  await page.route(posts, async (route) => {
    if (answer === 'failed')
      await route.fulfill({ status: 500, json: { code: 500, error: 'Internal server error' } })
    else if (answer !== 'late') await route.continue()
  })
  await go(`feeds/${feed}`)
  await page.locator('main ol[aria-busy=true]').waitFor()
  await shoot(page, 'feed-360-loading')
  answer = 'failed'
  await go(`feeds/${feed}`)
  const failure = page.getByRole('alert')
  await failure.getByText('Internal server error').waitFor()
  await shoot(page, 'feed-360-failed')
  answer = undefined
  await failure.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Move 3', exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Drafts 0' }).waitFor()
  await page.setViewportSize({ width: 768, height: 1024 })
  await shoot(page, 'feed-768')
  await go('feeds')
  await page.getByText('3 posts').waitFor()
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await shoot(page, `feeds-${width}`)
  }
}
