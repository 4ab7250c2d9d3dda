import type { Browser, FileChooser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { addAudience } from '../support/console/audience.ts'
import { noDialog, OWNER, visitConsole } from '../support/console/console.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

/** Farther than anything is: what is not reached by then is not reached by keys. */
const MOST_TABS = 80

/** An element as a function that runs in the page has it. */
interface InPage {
  getRootNode(): { activeElement: unknown }
  matches(selector: string): boolean
}

/** Also inside of another element, as the controls of the player are. */
function hasFocus(element: unknown): boolean {
  return element === (element as InPage).getRootNode().activeElement
}

function showsFocus(element: unknown): boolean {
  const { getComputedStyle: styleOf } = globalThis as unknown as {
    getComputedStyle(element: unknown): { outlineStyle: string; boxShadow: string }
  }
  const { outlineStyle, boxShadow } = styleOf(element)
  return (element as InPage).matches(':focus-visible') && (outlineStyle !== 'none' || boxShadow !== 'none')
}

/** Goes there by Tab, as somebody without a mouse does; where it is, has to be seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let i = 0; i < MOST_TABS; i++) {
    if (await target.evaluate(hasFocus)) {
      expect(await target.evaluate(showsFocus), `focus on ${target}`).toBe(true)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`${target} is not reached by ${MOST_TABS} times Tab`)
}

const press = async (page: Page, target: Locator) => {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Who sees that the focus has left the field meanwhile goes back to it. */
async function chooserOf(page: Page, field: Locator): Promise<FileChooser> {
  for (;;) {
    await tabTo(page, field)
    const asked = page.waitForEvent('filechooser', { timeout: 10_000 }).catch(() => undefined)
    await page.keyboard.press('Space')
    const chooser = await asked
    if (chooser) return chooser
  }
}

/** By the palette, once it is there: what is typed before is for what has the focus. */
async function command(page: Page, text: string): Promise<void> {
  // What has a dialog open, or is closing one, has no other keys.
  await noDialog(page)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').waitFor()
  await page.keyboard.type(text)
  await palette
    .getByRole('option', { name: new RegExp(text.split(' ').at(-1)!, 'i') })
    .first()
    .waitFor()
  await expect.poll(() => palette.getByRole('option').first().getAttribute('data-highlighted')).toBe('')
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
}

describe.skipIf(!hasBrowser)('the console without a mouse', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('somebody signs in, uploads, watches, names, publishes, sees figures, makes a key and signs out', {
    timeout: 300_000,
  }, async () => {
    const service = await composeForTest()
    const tenant = await addTenant(service, 'acme')
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('pageerror', (error) => {
      throw error
    })
    await page.goto(`${service.url}/console/${tenant.projectId}/library`)
    await tabTo(page, page.getByLabel('Email'))
    await page.keyboard.type(OWNER.email)
    await tabTo(page, page.getByLabel('Password'))
    await page.keyboard.type(OWNER.password)
    await page.keyboard.press('Enter')

    const chooser = page.waitForEvent('filechooser')
    await press(page, page.getByRole('main').getByRole('button', { name: 'Choose files' }).first())
    await (await chooser).setFiles({ name: 'harbour.mp4', mimeType: 'video/mp4', buffer: await clip(4) })
    const card = page.getByRole('gridcell').filter({ hasText: 'harbour.mp4' })
    await card.waitFor({ timeout: 60_000 })
    await page.keyboard.press('/')
    await page.keyboard.type('harbour')
    await page.waitForURL(/q=harbour/)
    await tabTo(page, card)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/videos/vid_*')

    await press(page, page.locator('marquee-player [part=play]'))
    await expect
      .poll(() => page.evaluate(`document.querySelector('marquee-player').media.currentTime`), {
        timeout: 60_000,
      })
      .toBeGreaterThan(0.2)

    // In the player, keys such as F are the player's own; this one is not.
    await command(page, 'feeds')
    await page.waitForURL('**/feeds')
    await press(page, page.getByRole('button', { name: 'Create a feed' }))
    const dialog = page.getByRole('dialog')
    await tabTo(page, dialog.getByLabel('Name'))
    await page.keyboard.type('Short films')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Short films' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Add from the library' }))
    await tabTo(page, dialog.getByRole('checkbox', { name: 'harbour.mp4' }))
    await page.keyboard.press('Space')
    await press(page, dialog.getByRole('button', { name: 'Add 1 post' }))
    await page.getByText('1 post added').waitFor()
    await noDialog(page)

    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.waitForURL('**/analytics')
    await press(page, page.getByRole('link', { name: 'Funnels' }))
    await page.waitForURL('**/analytics/funnels*')

    await command(page, 'create key')
    await tabTo(page, dialog.getByLabel('Name'))
    await page.keyboard.type('Backend')
    await page.keyboard.press('Enter')
    await page
      .getByTestId('shown-once')
      .filter({ hasText: /^mq_sk_/ })
      .waitFor()
    await press(page, page.getByRole('button', { name: 'Done' }))
    await noDialog(page)
    await command(page, 'settings keys')
    await page.getByRole('row').filter({ hasText: 'Backend' }).waitFor()

    await command(page, 'sign out')
    await page.getByLabel('Email').waitFor()
    await page.close()
  })

  test('somebody edits a video, builds an address and a funnel, rotates a key, invites, and undoes', {
    timeout: 300_000,
  }, async () => {
    const { page, api, go } = await visitConsole(browser, { env: { MARQUEE_TRASH_LIFETIME: '3600' } })
    const video = await videoUploaderOf(api).upload(await clip(4), { file_name: 'harbour.mp4' })
    const read = async () => (await api.get(`/videos/${video.id}`)).body
    const before = (await read()).poster.id
    const dialog = page.getByRole('dialog')
    await go(`videos/${video.id}`)
    await press(page, page.locator('marquee-player [part=play]'))
    await expect
      .poll(() => page.evaluate(`document.querySelector('marquee-player').media.currentTime`), {
        timeout: 60_000,
      })
      .toBeGreaterThan(0.2)
    await page.keyboard.press('k')
    await press(page, page.getByRole('button', { name: 'Use this frame' }))
    await page.getByText('The poster is set.').waitFor()
    expect((await read()).poster.id).not.toBe(before)

    await press(page, page.getByRole('button', { name: 'Add at this time' }))
    // The title is there to be typed over.
    await page.getByRole('textbox', { name: 'Title of chapter 1' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('The pier')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read()).chapters.at(-1)?.title).toBe('The pier')

    await press(page, page.getByRole('button', { name: 'Add subtitles' }))
    // A dialog takes the focus when it is there.
    await dialog.locator(':focus').waitFor()
    const chooser = await chooserOf(page, dialog.getByLabel('File'))
    const buffer = Buffer.from('1\n00:00:00,500 --> 00:00:02,000\nThe first one\n')
    await chooser.setFiles({ name: 'lines.srt', mimeType: 'text/plain', buffer })
    await press(page, dialog.getByRole('button', { name: 'Add' }))
    await noDialog(page)
    await page.getByRole('button', { name: 'English', exact: true }).waitFor()

    const image = await uploaderOf(api).upload(await smallJpeg(), 'boat.jpg')
    await command(page, 'library')
    await press(page, page.getByRole('gridcell').filter({ hasText: 'boat.jpg' }))
    await page.waitForURL('**/images/img_*')
    await tabTo(page, page.getByLabel('Width'))
    await page.keyboard.type('20')
    await press(page, page.getByRole('button', { name: 'Show WebP' }))
    await page.getByText(`${image.body.file.url}?w=20&format=webp`, { exact: true }).waitFor()

    await addAudience(api, 20, [])
    await command(page, 'funnels')
    await page.getByRole('status').filter({ hasText: 'get through' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Add a step' }))
    const fourth = page.getByRole('group', { name: 'Step 4' })
    await tabTo(page, fourth.getByRole('combobox', { name: 'Event' }))
    await page.keyboard.type('interaction')
    await page.getByRole('option', { name: 'Interaction' }).and(page.locator('[data-highlighted]')).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('interaction')
    await page.getByRole('status').filter({ hasText: 'get through' }).waitFor()

    await command(page, 'settings keys')
    await press(page, page.getByRole('button', { name: 'Actions on sk' }))
    await page.getByRole('menuitem', { name: 'Rotate' }).waitFor()
    await page.keyboard.type('Rot')
    await page.keyboard.press('Enter')
    await press(page, dialog.getByRole('button', { name: 'Rotate' }))
    await page.getByTestId('shown-once').waitFor()
    await press(page, page.getByRole('button', { name: 'Done' }))

    await command(page, 'invite member')
    await tabTo(page, dialog.getByLabel('Email'))
    await page.keyboard.type('grace@acme.example')
    await page.keyboard.press('Enter')
    await page.getByTestId('shown-once').waitFor()
    await press(page, page.getByRole('button', { name: 'Done' }))

    await command(page, 'library')
    const card = page.getByRole('gridcell').filter({ hasText: 'harbour.mp4' })
    // The grid is one stop; what is newer stands before it.
    await tabTo(page, page.getByRole('gridcell').first())
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => card.evaluate(hasFocus)).toBe(true)
    await page.keyboard.press('Space')
    await page.keyboard.press('Delete')
    await page.getByText('1 item deleted.').waitFor()
    await card.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await card.waitFor()
    await expect.poll(async () => (await api.get('/media')).body.pagination.total).toBe(2)
  })
})
