import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { prepareAxe } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { holdAgainstAxe, shoot, signIn, visitConsole } from '../support/console/console.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addMember } from '../support/world.ts'

describe.skipIf(!hasBrowser)('the console by keyboard', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('the palette reaches pages, items and actions, and the help lists the keys', async () => {
    const { page, api, go } = await visitConsole(browser)
    await prepareAxe(page)
    await videoUploaderOf(api).upload(await clip(), { file_name: 'harbour.mp4' })
    await api.post('/feeds', { name: 'Harbours' })
    await go('analytics')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const input = palette.getByRole('combobox')
    const options = palette.getByRole('option')
    const run = async (text: string, found: RegExp) => {
      // What has a dialog open, or is closing one, has no other keys.
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await input.and(page.locator(':focus')).waitFor()
      await page.keyboard.type(text)
      await palette.locator('[role=option][data-highlighted]').filter({ hasText: found }).waitFor()
      await page.keyboard.press('Enter')
    }

    await page.keyboard.press('Control+k')
    await input.waitFor()
    await expect.poll(() => options.first().getAttribute('data-highlighted')).toBe('')
    await holdAgainstAxe(page, 'palette')
    await page.keyboard.type('harb')
    await expect.poll(() => options.allInnerTexts()).toEqual(['harbour.mp4', 'Harbours'])
    await shoot(page, 'palette-found')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Harbours' }).waitFor()

    // What was opened last is first.
    await page.keyboard.press('Control+k')
    await expect.poll(() => options.first().innerText()).toBe('Harbours')
    expect(await palette.getByRole('group').first().innerText()).toMatch(/^Recent/)
    await page.keyboard.type('dark mode')
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'detached' })
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await run('settings keys', /Keys/)
    await page.waitForURL('**/settings/keys')
    await run('new token', /Create a key/)
    await page.getByRole('dialog').getByLabel('Name').fill('By keyboard')
    await page.keyboard.press('Enter')
    await page
      .getByTestId('shown-once')
      .filter({ hasText: /^mq_sk_/ })
      .waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const chooser = page.waitForEvent('filechooser')
    await run('upload', /Upload/)
    await (await chooser).setFiles({ name: 'quay.mp4', mimeType: 'video/mp4', buffer: await clip() })
    await page.getByText('1 file uploaded').waitFor()

    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.waitForURL('**/library')
    // Keys that somebody writes are theirs.
    const search = page.getByRole('searchbox')
    await search.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('?gf')
    expect(await search.inputValue()).toBe('?gf')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Go to the feeds').waitFor()
    await holdAgainstAxe(page, 'shortcuts')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.waitForURL('**/feeds')
  })

  test('a member sees the pages of their permissions and nothing else', async () => {
    const { page, service, tenant, api, projectId } = await visitConsole(browser)
    await videoUploaderOf(api).upload(await clip(), { file_name: 'harbour.mp4' })
    await page.close()
    const visit = async (name: string, permissions: string[]): Promise<Page> => {
      const email = `${name}@acme.example`
      await addMember(service, tenant, email, permissions)
      const context = await browser.newContext()
      onTestFinished(() => context.close())
      const own = await context.newPage()
      await prepareAxe(own)
      await signIn(own, service, email)
      return own
    }
    const links = (own: Page) =>
      own.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()

    const viewer = await visit('viewer', ['videos:read'])
    await viewer.waitForURL(`**/${projectId}/library`)
    expect(await links(viewer)).toEqual(['Library', 'Settings'])
    await viewer.getByText('harbour.mp4').click()
    await viewer.getByRole('heading', { name: 'harbour.mp4' }).waitFor()
    expect(await viewer.getByRole('alert').count()).toBe(0)
    await viewer.keyboard.press('Control+k')
    const options = viewer.getByRole('option')
    await options.first().waitFor()
    const offered = await options.allInnerTexts()
    expect(offered.filter((title) => /Upload|Create|Invite|Analytics|Feeds|Start/.test(title))).toEqual([])
    await viewer.keyboard.type('harb')
    await expect.poll(() => options.allInnerTexts()).toEqual(['harbour.mp4'])

    const analyst = await visit('analyst', ['analytics:read'])
    await analyst.waitForURL(`**/${projectId}/analytics`)
    expect(await links(analyst)).toEqual(['Analytics', 'Settings'])
    await analyst.getByText('No events yet').waitFor()

    const nobody = await browser.newPage()
    onTestFinished(() => nobody.close())
    await addMember(service, tenant, 'nobody@acme.example', [])
    await nobody.goto(`${service.url}/console/`)
    await nobody.getByLabel('Email').fill('nobody@acme.example')
    await nobody.getByLabel('Password').fill('a long enough one')
    await nobody.getByRole('button', { name: 'Sign in' }).click()
    await nobody.getByText('There is no project yet that you may see').waitFor()
  })

  test('the page of components has nothing that axe minds, in either theme', async () => {
    const { page, go } = await visitConsole(browser)
    await prepareAxe(page)
    await go('components?theme=both')
    await page.getByRole('heading', { name: 'Uses' }).first().waitFor()
    await shoot(page, 'components-both', true)
    await page.getByLabel('Appearance').selectOption('As the console')
    await holdAgainstAxe(page, 'components')
  })
})
