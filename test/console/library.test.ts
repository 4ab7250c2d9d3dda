import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { ownerOf, shoot, type Visit, visitConsole } from '../support/console/console.ts'
import { uploaderOf } from '../support/media.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

/** So that what was deleted can be brought back. */
const env = { MARQUEE_TRASH_LIFETIME: '3600' }

const photo = (width = 320, height = 200) => scene(width, height).jpeg().toBuffer()

describe.skipIf(!hasBrowser)('the library of the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('where there is no trash, deleting asks first, and offers no undo that could not work', async () => {
    const { page, go, api } = await visitConsole(browser)
    await prepareAxe(page)
    const upload = async (name: string) =>
      (await uploaderOf(api).upload(await photo(), name)).body.id as string
    const [first] = [await upload('first.jpg'), await upload('second.jpg'), await upload('third.jpg')]
    const left = async () => (await api.get('/media')).body.pagination.total
    const dialog = page.getByRole('dialog')
    await go('library')
    await cards(page).filter({ hasText: 'second.jpg' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Delete')
    await dialog.getByText('cannot be brought back').waitFor()
    await shoot(page, 'delete-for-good')
    expect(await violationsIn(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await left()).toBe(3)
    await page.keyboard.press('Delete')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('1 item deleted.').waitFor()
    await expect.poll(left).toBe(2)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await expect.poll(() => cards(page).count()).toBe(2)

    await go(`images/${first}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('heading', { name: 'Delete first.jpg?' }).waitFor()
    expect(await left()).toBe(2)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('first.jpg is deleted.').waitFor()
    await page.waitForURL('**/library')
    expect(await left()).toBe(1)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test('ten files are dropped, in a folder and beside it: nine are there, and the broken one says why', async () => {
    const visit = await visitConsole(browser, { env })
    const { page } = visit
    await prepareAxe(page)
    await visit.go('library')
    await page.getByText('Drop videos and images here').waitFor()
    await checkLooks(page, 'library-empty')

    const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-drop-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const photos = path.join(folder, 'photos')
    mkdirSync(path.join(photos, 'more'), { recursive: true })
    for (let i = 1; i <= 6; i++) writeFileSync(path.join(photos, `photo-${i}.jpg`), await photo(320 + i, 200))
    writeFileSync(path.join(photos, 'more', 'tall.jpg'), await photo(200, 320))
    writeFileSync(path.join(photos, 'more', 'cut-off.jpg'), await photo())
    writeFileSync(path.join(photos, 'broken.jpg'), 'no picture at all')
    writeFileSync(path.join(photos, 'notes.txt'), 'neither')
    writeFileSync(path.join(folder, 'film.mp4'), await clip(4))

    // The connection fails for one of them, for a while.
    let isCut = true
    await page.route('**/images/upload/init', (route) =>
      isCut && route.request().postDataJSON().file_name === 'cut-off.jpg' ? route.abort() : route.continue(),
    )
    await drop(page, [photos, path.join(folder, 'film.mp4')])
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.waitFor()
    await page.getByText('1 file is neither a video nor an image').waitFor()
    // Elsewhere in the console they go on.
    await page.getByRole('link', { name: 'Feeds' }).click()
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    await tray.getByText('8 of 10 uploaded, 1 failed, waiting for the service').waitFor()
    await page.getByRole('link', { name: 'Library' }).click()
    await expect.poll(() => cards(page).count()).toBe(8)
    const broken = tray.getByRole('listitem').filter({ hasText: 'broken.jpg' })
    expect(await broken.innerText()).toContain('this is a text file; send JPEG, PNG, WebP, AVIF, GIF or HEIC')
    expect(await broken.innerText()).toMatch(/req_/)
    await checkLooks(page, 'library-uploaded')

    isCut = false
    await page.getByRole('gridcell').filter({ hasText: 'cut-off.jpg' }).waitFor()
    expect(await cards(page).count()).toBe(9)
    await tray.getByRole('button', { name: 'Upload broken.jpg again' }).click()
    await tray.getByText('9 files uploaded, 1 failed').waitFor()
    await tray.getByRole('button', { name: 'Close the list' }).click()
    await tray.waitFor({ state: 'detached' })

    // Its beginning plays while the pointer rests on it.
    const film = page.getByRole('gridcell').filter({ hasText: 'film.mp4' })
    await film.hover()
    const video = film.locator('video')
    await expect
      .poll(() => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime), {
        timeout: 15_000,
      })
      .toBeGreaterThan(0.2)
    await shoot(page, 'library-hover')
    await page.mouse.move(0, 0)
    await video.waitFor({ state: 'detached' })
    await film.getByText('Processing').waitFor({ state: 'detached', timeout: 20_000 })
  })

  test('what is looked for is in the address, and keys choose, delete and undo', async () => {
    const visit = await visitConsole(browser, { env })
    const { page, service } = visit
    const api = await ownerOf(visit)
    for (let i = 0; i < 9; i++) await uploaderOf(api).upload(await photo(300 + i), `harbour-${i}.jpg`)
    const film = await videoUploaderOf(api).upload(await clip(), { file_name: 'harbour.mp4' })
    const feed = await api.post('/feeds', { name: 'Holidays' })
    await api.post(`/feeds/${feed.body.id}/content`, { content_ids: [film.id], content_type: 'video' })

    await prepareAxe(page)
    await visit.go('library')
    await expect.poll(() => cards(page).count()).toBe(10)
    await page.keyboard.press('/')
    await page.keyboard.type('HARBOUR')
    await page.waitForURL(/q=HARBOUR/)
    await page.keyboard.type('-3')
    await expect.poll(() => cards(page).count()).toBe(1)
    await page.getByLabel('Kind').selectOption('image')
    await page.reload()
    await page.getByRole('gridcell').filter({ hasText: 'harbour-3.jpg' }).waitFor()
    expect(await cards(page).count()).toBe(1)
    expect(await page.getByRole('searchbox').inputValue()).toBe('HARBOUR-3')
    expect(await page.getByLabel('Kind').inputValue()).toBe('image')
    await page.getByLabel('Kind').selectOption('video')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await expect.poll(() => cards(page).count()).toBe(10)
    await page.getByLabel('Feed').selectOption({ label: 'Holidays' })
    await expect.poll(() => cards(page).allInnerTexts()).toHaveLength(1)
    await page.getByLabel('Feed').selectOption('')

    // Videos that are still being made, and ranges that are not among the choices; in the address as well.
    const inProcess = async () => (await api.get('/media?status=processing')).body.pagination.total
    await expect.poll(inProcess).toBe(0)
    // Of a rendition that nobody makes.
    await service.sql`
      update playback_plans set plan = jsonb_set(plan, '{audio}', plan->'audio' || '[{"name": "late"}]')`
    await page.getByLabel('State').selectOption('processing')
    await expect.poll(() => cards(page).allInnerTexts()).toEqual([expect.stringContaining('harbour.mp4')])
    await page.getByLabel('State').selectOption('ready')
    await expect.poll(() => cards(page).count()).toBe(9)
    await page.getByLabel('State').selectOption('')
    const range = async (name: string, from: string, to: string) => {
      await page.getByLabel(name).selectOption('custom')
      await page.getByLabel('From').fill(from)
      await page.getByLabel('To').fill(to)
      await page.getByRole('button', { name: 'Apply' }).click()
    }
    await range('Length', '0:03', '0:01')
    await page.getByText('From is more than To.').waitFor()
    await shoot(page, 'library-range')
    await page.getByLabel('To').fill('1:00')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Nothing matches').waitFor()
    await range('Length', '', '0:03')
    await expect.poll(() => cards(page).count()).toBe(1)
    await page.reload()
    await expect.poll(() => cards(page).count()).toBe(1)
    expect(await page.getByLabel('Length').locator('option:checked').textContent()).toBe('Up to 0:03')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await range('Size', '1', '')
    await page.getByText('Nothing matches').waitFor()
    await range('Size', '', '1')
    await expect.poll(() => cards(page).count()).toBe(10)
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    await range('Date', '2020-02-29', day(3))
    await page.getByText('Nothing matches').waitFor()
    await range('Date', day(3), day(-1))
    await expect.poll(() => cards(page).count()).toBe(10)
    await page.waitForURL(new RegExp(`date=${day(3)}\\.\\.${day(-1)}`))
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Order').selectOption('name')
    await expect.poll(() => cards(page).first().innerText()).toContain('harbour-0.jpg')

    // From the first: two to the right, then a range of three, of which two are chosen before.
    await cards(page).first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('10 items').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('10 selected').waitFor()
    await checkLooks(page, 'library-selected')
    await page.getByRole('button', { name: 'Add to a feed' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Holidays' }).click()
    await page.getByText('10 items are in Holidays now.').waitFor()

    await cards(page).nth(1).getByRole('checkbox').click({ force: true })
    await cards(page)
      .nth(4)
      .click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    await page.keyboard.press('Delete')
    await page.getByText('4 items deleted.').waitFor()
    await expect.poll(() => cards(page).count()).toBe(6)
    await expect.poll(async () => (await api.get('/media')).body.pagination.total).toBe(6)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => cards(page).count()).toBe(10)
    await expect.poll(async () => (await api.get('/media')).body.pagination.total).toBe(10)
    expect((await api.get(`/feeds/${feed.body.id}`)).body.pagination.total).toBe(10)

    // However many there are, only those in view are on the page.
    await multiply(visit, 700)
    // They have no files.
    await page.route('**/cdn/**', (route) => route.abort())
    await page.reload()
    await page.getByText('710 items').waitFor()
    // What is not loaded cannot be chosen, and the page says so.
    await page.keyboard.press('Control+a')
    await page.getByText('100 selected of 710').waitFor()
    await shoot(page, 'library-selected-some')
    await page.keyboard.press('Escape')
    await cards(page).first().focus()
    const focused = async () => Number(await page.evaluate('document.activeElement.dataset.index'))
    for (let total = 0; total < 700; ) {
      await page.keyboard.press('Control+End')
      await page.waitForTimeout(50)
      expect(await cards(page).count()).toBeLessThan(60)
      total = (await focused()) + 1
      expect(total).toBeGreaterThan(0)
    }
    const end = await focused()
    await page.keyboard.press('PageUp')
    await expect.poll(focused).toBeLessThan(end - 4)
    await page.keyboard.press('PageDown')
    await expect.poll(focused).toBe(end)

    // Taken back in the frame in which it was chosen.
    const marked = page.locator('[role=gridcell][aria-selected=true]')
    await page.evaluate(`for (const key of [' ', 'Escape'])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)
    await page.waitForTimeout(200)
    expect(await marked.count()).toBe(0)
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await page.getByText('2 selected').waitFor()
    expect(await marked.count()).toBe(2)

    // What is changed on its page is shown by a list that was scrolled far, which is not asked for again.
    await visit.go('library')
    await page.getByText('710 items').waitFor()
    await cards(page).first().focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+End')
        return focused()
      })
      .toBeGreaterThan(400)
    await page.keyboard.press('Control+Home')
    await cards(page).filter({ hasText: 'harbour-8.jpg' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'harbour-8.jpg' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/media?') && asked.push(request.url()))
    await page.getByRole('textbox', { name: 'Name' }).fill('breakwater.jpg')
    await page.keyboard.press('Enter')
    await page.getByLabel('Visibility').selectOption('unlisted')
    await expect.poll(() => asked.length).toBe(2)
    await page.getByTitle('Library', { exact: true }).click()
    const renamed = cards(page).filter({ hasText: 'breakwater.jpg' })
    await renamed.waitFor()
    await renamed.click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('breakwater.jpg is deleted.').waitFor()
    await page.getByText('709 items').waitFor()
    expect(await renamed.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'breakwater.jpg' }).waitFor()
    await page.getByTitle('Library', { exact: true }).click()
    await page.getByText('710 items').waitFor()
    await renamed.waitFor()
    expect(asked.filter((url) => url.includes('cursor='))).toEqual([])
  })

  test('what was deleted here and brought back elsewhere is there again, without a reload', async () => {
    const visit = await visitConsole(browser, { env })
    const { page } = visit
    const api = await ownerOf(visit)
    const { body: image } = await uploaderOf(api).upload(await photo(), 'pier.jpg')
    await uploaderOf(api).upload(await photo(300), 'quay.jpg')
    await visit.go('library')
    await cards(page)
      .filter({ hasText: 'pier.jpg' })
      .click({ modifiers: ['Shift'] })
    await page.keyboard.press('Delete')
    await page.getByText('1 item deleted.').waitFor()
    await expect.poll(() => cards(page).count()).toBe(1)
    await expect.poll(async () => (await api.get('/media')).body.pagination.total).toBe(1)
    expect((await api.post(`/images/${image.id}/restore`)).status).toBeLessThan(300)
    await page.getByRole('link', { name: 'Feeds' }).click()
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Library' }).click()
    await expect.poll(() => cards(page).count()).toBe(2)
  })

  test('what is uploaded elsewhere is there without a reload, and what is chosen stays chosen', async () => {
    const { page, go, api } = await visitConsole(browser)
    const upload = async (name: string) => uploaderOf(api).upload(await photo(), name)
    await go('library')
    await page.getByText('Drop videos and images here').waitFor()
    await upload('first.jpg')
    await cards(page).filter({ hasText: 'first.jpg' }).waitFor()
    await cards(page).first().focus()
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    await upload('second.jpg')
    // Whoever comes back to the page does not wait for its turn.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await cards(page).filter({ hasText: 'second.jpg' }).waitFor()
    await upload('third.jpg')
    await expect.poll(() => cards(page).count(), { timeout: 30_000 }).toBe(3)
    await page.getByText('1 selected').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toContain('first.jpg')
  })

  test('a file that is dropped on any page is uploaded, and nowhere opened in the place of the console', async () => {
    const visit = await visitConsole(browser)
    const { page, service, api } = visit
    const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-drop-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(path.join(folder, 'pier.jpg'), await photo())
    await visit.go('feeds')
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    await drop(page, [path.join(folder, 'pier.jpg')])
    await page.getByText('1 file uploaded').waitFor()
    expect((await api.get('/media')).body.pagination.total).toBe(1)
    for (const path of ['sign-in', 'reset', `${visit.projectId}/library`]) {
      await page.goto(`${service.url}/console/${path}`)
      await page.getByRole('heading').first().waitFor()
      expect(await page.evaluate(IS_KEPT), path).toEqual([true, true])
    }
  })

  test('a folder is picked as well, and a page is loaded while the pointer is on its way to it', async () => {
    const visit = await visitConsole(browser)
    const { page } = visit
    const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-pick-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(path.join(folder, 'more'))
    writeFileSync(path.join(folder, 'pier.jpg'), await photo())
    writeFileSync(path.join(folder, 'more', 'quay.jpg'), await photo(300))
    writeFileSync(path.join(folder, 'notes.txt'), 'neither')
    await visit.go('library')
    await page.getByLabel('Upload a folder').setInputFiles(folder)
    await page.getByText('2 files uploaded').waitFor()
    await page.getByText('1 file is neither a video nor an image').waitFor()
    await expect.poll(() => cards(page).count()).toBe(2)
    const loading = page.waitForRequest(/analytics-page[^/]*\.js$/)
    await page.getByRole('link', { name: 'Analytics' }).hover()
    await loading
    expect(page.url()).toContain('/library')
  })

  test('on a phone the same is done by thumbs, in one column', async () => {
    const visit = await visitConsole(browser, {
      env,
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    })
    const { page } = visit
    const api = await ownerOf(visit)
    for (let i = 0; i < 3; i++) await uploaderOf(api).upload(await photo(300 + i), `quay-${i}.jpg`)
    await prepareAxe(page)
    await visit.go('library')
    await expect.poll(() => cards(page).count()).toBe(3)
    await checkLooks(page, 'library-360')
    const boxes = await Promise.all((await cards(page).all()).map((card) => card.boundingBox()))
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(1)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('checkbox', { name: 'Select quay-1.jpg' }).tap()
    await page.getByText('1 selected').waitFor()
    await page.emulateMedia({ colorScheme: 'light' })
    await shoot(page, 'library-360-selected')
    await page.getByRole('button', { name: 'Delete' }).tap()
    await expect.poll(() => cards(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect.poll(() => cards(page).count()).toBe(3)

    // While it is loaded there are cards of the final size; what fails says so in their place, with a way on.
    let answer: 'late' | 'failed' | undefined = 'late'
    await page.route('**/media?*', async (route) => {
      if (answer === 'failed')
        await route.fulfill({ status: 500, json: { code: 500, error: 'Internal server error' } })
      else if (answer !== 'late') await route.continue()
    })
    await visit.go('library')
    await page.locator('[role=grid][aria-busy=true]').waitFor()
    await shootSizes(page, 'library-loading')
    answer = 'failed'
    await visit.go('library')
    const failure = page.getByRole('alert').filter({ hasText: 'Internal server error' })
    await failure.waitFor()
    await shootSizes(page, 'library-failed')
    answer = undefined
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => cards(page).count()).toBe(3)
    await shootSizes(page, 'library')
  })
})

async function shootSizes(page: Page, name: string): Promise<void> {
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await shoot(page, `${name}-${width}`)
  }
}

const cards = (page: Page) => page.getByRole('gridcell')

/** Drops files and folders in the middle of the page, as a file manager does. */
async function drop(page: Page, files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
  await page.getByText('Drop to upload').waitFor()
  await shoot(page, 'library-drop')
  await session.send('Input.dispatchDragEvent', { type: 'drop', x: 600, y: 400, data })
}

/** Whether somebody takes a file that is dropped, so that the browser does not open it. */
const IS_KEPT = `['dragover', 'drop'].map((name) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['film'], 'film.txt'))
  return !document.querySelector('h1').dispatchEvent(
    new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }))
})`

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

/** So many more images like one that is there. */
async function multiply({ service: { sql }, projectId }: Visit, count: number): Promise<void> {
  const [like] = await sql`
    select i.id, i.file_id from images i where project_id = ${projectId} and poster_of is null limit 1`
  const number = sql`lpad(n::text, 26, '0')`
  await sql`
    insert into files select (jsonb_populate_record(f, jsonb_build_object('id', 'file_' || ${number}))).*
    from files f, generate_series(1, ${count}::int) n where f.id = ${like!.file_id}`
  await sql`
    insert into images select (jsonb_populate_record(i, jsonb_build_object(
      'id', 'img_' || ${number}, 'file_id', 'file_' || ${number}))).*
    from images i, generate_series(1, ${count}::int) n where i.id = ${like!.id}`
}
