import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { prepareAxe } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { holdAgainstAxe, noDialog, shoot, signIn, visitConsole } from '../support/console/console.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addMember } from '../support/world.ts'

describe.skipIf(!hasBrowser)('the console by keyboard', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('what is typed at once after the palette is opened is looked for, the first time as well', async () => {
    const { page, go } = await visitConsole(browser)
    await go('settings/keys')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    const input = page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox')
    for (const text of ['lib', 'fee']) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await input.and(page.locator(':focus')).waitFor()
      expect(await input.inputValue()).toBe(text)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await noDialog(page)
    }
  })

  test('the palette reaches pages, items and actions, and the help lists the keys', async () => {
    const { page, api, go, tenant, projectId } = await visitConsole(browser)
    await prepareAxe(page)
    await videoUploaderOf(api).upload(await clip(), { file_name: 'harbour.mp4' })
    await api.post('/feeds', { name: 'Harbours' })
    // More than a page of them after it.
    for (let i = 0; i < 100; i++) await api.post('/feeds', { name: `Feed ${i}` })
    await go('analytics')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const input = palette.getByRole('combobox')
    const options = palette.getByRole('option')
    const run = async (text: string, found: RegExp) => {
      // What has a dialog open, or is closing one, has no other keys.
      await noDialog(page)
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
    for (const [typed, title, field] of [
      ['create policy', /Create a policy/, 'Name'],
      ['create webhook', /Add a webhook/, 'Address'],
      ['create signing', /Create a signing key/, 'Name'],
    ] as const) {
      await run(typed, title)
      await page.getByRole('dialog').getByLabel(field).first().waitFor()
      await page.keyboard.press('Escape')
    }
    // What has a name has a place, and is marked there.
    const { orgId, owner } = tenant
    const policies = `/auth/v1/memberships/${orgId}/policies`
    const webhook = { project_id: projectId, url: 'https://hooks.example/in', kinds: [] }
    for (const [path, body] of [
      [`/organizations/${orgId}/api-keys/v1`, { name: 'Encoder', project_id: projectId }],
      [`/organizations/${orgId}/signing-keys/v1`, { name: 'Player app', project_id: projectId }],
      [`/organizations/${orgId}/webhooks/v1`, webhook],
      [policies, { name: 'Reviewers', permissions: ['videos:read'] }],
      [`/auth/v1/memberships/${orgId}/invite`, { email: 'grace@acme.example' }],
    ] as const)
      expect((await owner.post(path, body)).status, path).toBe(201)
    const { body: feed } = await api.post('/feeds', { name: 'Morning' })
    const { body: uploaded } = await uploaderOf(api).upload(await smallJpeg())
    const described = { description: 'Boats before breakfast' }
    const content = { content_ids: [uploaded.id], content_type: 'image', ...described }
    await api.post(`/feeds/${feed.id}/content`, content)
    for (const [text, place] of [
      ['Encoder', 'settings/keys'],
      ['Player app', 'settings/signing-keys'],
      ['hooks.example', 'settings/webhooks'],
      ['Reviewers', 'settings/policies'],
      ['grace@', 'settings/members'],
      ['owner@acme', 'settings/members'],
      ['before breakfast', `feeds/${feed.id}`],
    ] as const) {
      await run(text.toLowerCase(), new RegExp(text))
      await page.waitForURL((url) => url.pathname.endsWith(place))
      await page.locator('[data-named]').filter({ hasText: text }).and(page.locator(':focus')).waitFor()
    }
    // What was opened last is there again without being looked for.
    await page.keyboard.press('Control+k')
    await expect.poll(() => options.first().innerText()).toBe('Boats before breakfast')
    await page.keyboard.press('Escape')
    await run('sign out every', /Sign out everywhere/)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await run('change password', /Change your password/)
    await page.getByLabel('Current password').and(page.locator(':focus')).waitFor()
    await run('settings keys', /Keys/)
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
    for (const place of ['The order of a feed', 'Adding to a feed', 'The player'])
      await help.getByRole('region', { name: place }).waitFor()
    await holdAgainstAxe(page, 'shortcuts')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.waitForURL('**/feeds')
  })

  test('the palette does what the page one is on can do, and a slash searches on every page', async () => {
    const { page, api, go } = await visitConsole(browser)
    const film = await videoUploaderOf(api).upload(await clip(4), { file_name: 'harbour.mp4' })
    const feed = await api.post('/feeds', { name: 'Harbours' })
    await uploaderOf(api).upload(await smallJpeg())
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const dialog = page.getByRole('dialog')
    const run = async (text: string, title: string) => {
      await noDialog(page)
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').and(page.locator(':focus')).waitFor()
      const group = palette.getByRole('group').filter({ hasText: /^On this page/ })
      await group.getByRole('option').first().waitFor()
      await page.keyboard.type(text)
      await palette.locator('[role=option][data-highlighted]').filter({ hasText: title }).waitFor()
      await page.keyboard.press('Enter')
      await palette.waitFor({ state: 'detached' })
    }

    await go('library')
    await expect.poll(() => page.getByRole('gridcell').count()).toBe(2)
    await run('select all', 'Select all that is loaded')
    await page.getByText('2 selected').waitFor()
    await run('add 2', 'Add 2 items to a feed')
    await dialog.getByText('Harbours').waitFor()
    await page.keyboard.press('Escape')
    await run('delete 2', 'Delete 2 items')
    await dialog.getByRole('heading', { name: 'Delete 2 items?' }).waitFor()
    await page.keyboard.press('Escape')
    await noDialog(page)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()

    await go(`videos/${film.id}`)
    await page.getByRole('heading', { name: 'harbour.mp4' }).waitFor()
    const downloading = page.waitForEvent('download')
    await run('save mp4', 'Download the video')
    expect((await downloading).suggestedFilename()).toMatch(/^harbour.*\.mp4$/)
    await run('captions', 'Add subtitles')
    await dialog.getByLabel('File').waitFor()
    await page.keyboard.press('Escape')
    await run('use this frame', 'Use this frame as the poster')
    await page.getByText('The poster is set.').waitFor()
    await run('delete harb', 'Delete harbour.mp4')
    await dialog.getByRole('heading', { name: 'Delete harbour.mp4?' }).waitFor()
    await page.keyboard.press('Escape')

    await go(`feeds/${feed.body.id}`)
    await page.getByRole('heading', { name: 'Harbours' }).waitFor()
    await run('edit', 'Edit')
    await dialog.getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')
    await noDialog(page)
    await page.keyboard.press('/')
    await palette.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await shoot(page, 'palette-of-a-page')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })

    // What was done on another page is not offered here.
    await go('settings/keys')
    await page.getByRole('heading', { name: 'Keys' }).first().waitFor()
    await page.keyboard.press('Control+k')
    await palette.getByRole('option').first().waitFor()
    expect(await palette.getByRole('option', { name: /subtitles|Select all/ }).count()).toBe(0)
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
    expect(
      offered.filter((title) => /Upload|Create|Invite|Analytics|Feeds|Start|Add|Delete|poster/.test(title)),
    ).toEqual([])
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
