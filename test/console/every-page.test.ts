import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { coloursIn, prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { addAudience } from '../support/console/audience.ts'
import { OWNER, shoot, type Visit, visitConsole } from '../support/console/console.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addMember } from '../support/world.ts'

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
  const pressed = ':is(button, input, textarea, select, [role=tab], [role=menuitem], [role=option])'
  for (const one of document.querySelectorAll(':is(main, section, [role=dialog], [role=menu]) ' + pressed + ', nav a')) {
    // A box is pressed by all of its label.
    const target = one.matches('[type=checkbox], [type=radio]') ? (one.closest('label') ?? one) : one
    const { width, height } = target.getBoundingClientRect()
    const isShown = width > 1 && height > 1 && one.checkVisibility({ visibilityProperty: true })
    if (isShown && Math.min(width, height) < 44)
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

  async function fill({ api, projectId, tenant }: Visit): Promise<Record<string, string>> {
    await addAudience(api, 20, [])
    const ofProject = `/organizations/${tenant.orgId}`
    for (const [what, more] of [
      ['webhooks', { url: 'https://app.example/hook' }],
      ['signing-keys', { name: 'Server' }],
    ] as const)
      expect(
        (await tenant.owner.post(`${ofProject}/${what}/v1`, { project_id: projectId, ...more })).status,
      ).toBe(201)
    expect((await api.post('/feeds', { name: '' })).status).toBe(400)
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
    await page.locator('main h1').first().waitFor()
    // Twice: what is there may ask for more. The network is never idle where something is live.
    for (let times = 0; times < 2; times++) {
      await page
        .locator('[aria-busy=true]')
        .first()
        .waitFor({ state: 'detached', timeout: 5000 })
        .catch(() => {})
      await page.waitForTimeout(200)
    }
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
      // What is loading has no end to be read at.
      if (state !== 'loading') await holdInBothThemes(page, `${name}, ${state}`)
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

  async function holdInBothThemes(page: Page, name: string): Promise<void> {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    expect(await violationsIn(page), `${name}, light`).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await coloursIn(page), `${name}, dark`).toEqual([])
  }

  test('fits a phone, with nothing in it and with something, and asks nothing of any other host', {
    timeout: 600_000,
  }, async () => {
    const visit = await visitConsole(browser, { viewport: PHONE, hasTouch: true })
    const { page, service } = visit
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).host))
    await prepareAxe(page)
    await look(visit, empty, 'empty')
    const pages = await fill(visit)
    await look(visit, pages, 'full')
    await visit.go(pages.analytics!)
    await page.getByText('Top videos').waitFor()

    const media = await page.locator('meta[name=media]').getAttribute('content')
    // Of none is what a page has made itself.
    const own = ['', new URL(service.url).host, new URL(media!).host]
    expect([...asked].filter((host) => !own.includes(host))).toEqual([])
    expect(asked.size).toBeGreaterThan(0)
  })

  test('has its form while it loads; says what failed where it failed', { timeout: 600_000 }, async () => {
    const visit = await visitConsole(browser, { viewport: PHONE, hasTouch: true })
    const { page, go } = visit
    await prepareAxe(page)
    const pages = await fill(visit)
    // Everything but who it is that looks.
    const isData = (url: URL) => !/\/(console|auth|sdk)|\/organization\/v1$/.test(url.pathname)

    // Answers that do not come.
    await page.route(isData, () => {})
    const { components: _, start: __, ...loading } = pages
    await look(visit, loading, 'loading', async () => {
      await page.locator('main > *').first().waitFor()
      await page.waitForTimeout(400)
    })
    await page.unroute(isData)

    await page.route(isData, (route) =>
      route.fulfill({
        status: 500,
        json: { code: 500, error: 'Internal server error' },
        headers: { 'x-request-id': 'req_of_the_answer' },
      }),
    )
    const failing = [
      'library',
      'feeds',
      'video',
      'image',
      'feed',
      'analytics',
      'settings-keys',
      'settings-webhooks',
    ]
    await look(visit, Object.fromEntries(failing.map((name) => [name, pages[name]!])), 'failed')
    // Also what cannot be shown has a way back.
    for (const name of ['video', 'image']) {
      await go(pages[name]!)
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Library' }).click()
      await page.waitForURL('**/library')
    }
    await go(pages.feed!)
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    await page.unroute(isData)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('A pier at noon').first().waitFor()
  })

  test('and every dialog can be read by everybody', { timeout: 300_000 }, async () => {
    const { page, go } = await visitConsole(browser, { viewport: PHONE, hasTouch: true })
    await prepareAxe(page)
    for (const [path, button] of [
      ['feeds', 'Create a feed'],
      ['settings/keys', 'Create key'],
      ['settings/members', 'Invite a member'],
      ['settings/policies', 'Create policy'],
      ['settings/projects', 'Create project'],
      ['settings/webhooks', 'Add webhook'],
      ['settings/signing-keys', 'Create signing key'],
      ['settings/account', 'Sign out everywhere'],
    ] as const) {
      await go(path)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').waitFor()
      // What comes and goes is smaller for a moment.
      await expect.poll(() => misfits(page), { message: button }).toEqual([])
      await shoot(page, `dialog-${button}`)
      await holdInBothThemes(page, button)
    }
  })

  test('so can those of people who are not signed in, may nothing, or are lost', {
    timeout: 300_000,
  }, async () => {
    const { page, go, service, tenant } = await visitConsole(browser, { viewport: PHONE, hasTouch: true })
    await prepareAxe(page)
    await go('nowhere')
    await page.getByText('There is nothing here').waitFor()
    await holdInBothThemes(page, 'not found')
    const owner = service.api.as(bearer(await service.tokenFor(OWNER.email)))
    const invited = await owner.post(`/auth/v1/memberships/${tenant.orgId}/invite`, {
      email: 'grace@acme.example',
      role: 'member',
    })
    await page.context().clearCookies()
    await page.goto(invited.body.link)
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await shoot(page, 'accept')
    await holdInBothThemes(page, 'accept')
    await page.goto(`${service.url}/console/reset`)
    await page.getByRole('heading').waitFor()
    await shoot(page, 'reset-ask')
    await holdInBothThemes(page, 'reset')
    await addMember(service, tenant, 'nobody@acme.example', [])
    await page.goto(`${service.url}/console/`)
    await page.getByLabel('Email').fill('nobody@acme.example')
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('There is no project yet that you may see').waitFor()
    await holdInBothThemes(page, 'no project')
  })

  test('on a phone somebody uploads, edits, builds an address and a funnel, makes a key and invites by thumbs', {
    timeout: 300_000,
  }, async () => {
    const { page, go, service, projectId, api } = await visitConsole(browser, {
      viewport: PHONE,
      hasTouch: true,
    })
    const fits = () => expect.poll(() => misfits(page)).toEqual([])
    const dialog = page.getByRole('dialog')
    await go('library')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('main').getByRole('button', { name: 'Choose files' }).tap()
    await (await chooser).setFiles({ name: 'pier.mp4', mimeType: 'video/mp4', buffer: await clip(4) })
    await page.getByText('1 file uploaded').waitFor()
    await fits()
    await page.getByRole('button', { name: 'Close the list' }).tap()
    await page.getByRole('gridcell').filter({ hasText: 'pier.mp4' }).tap()
    await page.waitForURL('**/videos/vid_*')
    const video = async () => (await api.get(`/videos/${page.url().split('/').at(-1)}`)).body

    const { poster } = await video()
    await page.locator('marquee-player [part=play]').tap()
    const played = () => page.evaluate(`document.querySelector('marquee-player').media.currentTime`)
    await expect.poll(played).toBeGreaterThan(0.2)
    await page.locator('marquee-player').evaluate(`document.querySelector('marquee-player').media.pause()`)
    await page.getByRole('button', { name: 'Use this frame' }).tap()
    await page.getByText('The poster is set.').waitFor()
    expect((await video()).poster.id).not.toBe(poster.id)
    await page.getByRole('button', { name: 'Add at this time' }).tap()
    await page.getByRole('textbox', { name: 'Title of chapter 1' }).fill('The pier')
    await page.getByRole('textbox', { name: 'Title of chapter 1' }).press('Enter')
    await expect.poll(async () => (await video()).chapters?.at(-1)?.title).toBe('The pier')

    await page.getByRole('button', { name: 'Add subtitles' }).tap()
    const buffer = Buffer.from('1\n00:00:00,500 --> 00:00:02,000\nThe first one\n')
    await dialog.getByLabel('File').setInputFiles({ name: 'lines.srt', mimeType: 'text/plain', buffer })
    await dialog.getByRole('button', { name: 'Add' }).tap()
    await page.getByRole('button', { name: 'English', exact: true }).waitFor()
    await fits()

    const image = await uploaderOf(api).upload(await smallJpeg())
    await go(`images/${image.body.id}`)
    await page.getByLabel('Width').fill('20')
    await page.getByRole('button', { name: 'Show WebP' }).tap()
    const address = `${image.body.file.url}?w=20&format=webp`
    await page.getByText(address, { exact: true }).waitFor()
    await fits()

    const token = await service.tokenFor(OWNER.email)
    await addAudience(service.api.as({ ...bearer(token), 'x-project-id': projectId }), 20, [])
    await go('analytics/funnels')
    await page.getByRole('status').filter({ hasText: 'get through' }).waitFor()
    await page.getByRole('button', { name: 'Add a step' }).tap()
    const fourth = page.getByRole('group', { name: 'Step 4' })
    await fourth.getByRole('combobox', { name: 'Event' }).tap()
    await page.getByRole('option', { name: 'Interaction' }).tap()
    await expect.poll(() => page.url()).toContain('interaction')
    await fourth.getByRole('button', { name: 'Move up' }).tap()
    await page.getByRole('group', { name: 'Step 3' }).getByRole('button', { name: 'Remove this step' }).tap()
    await page.getByRole('status').filter({ hasText: 'get through' }).waitFor()
    await fits()

    for (const [section, open, field, value, submit] of [
      ['keys', 'Create key', 'Name', 'Phone', 'Create'],
      ['members', 'Invite a member', 'Email', 'grace@acme.example', 'Invite'],
    ] as const) {
      await go(`settings/${section}`)
      await page.getByRole('button', { name: open }).tap()
      await dialog.getByLabel(field).fill(value)
      await dialog.getByRole('button', { name: submit, exact: true }).tap()
      await page.getByTestId('shown-once').waitFor()
      await page.getByRole('button', { name: 'Done' }).tap()
      await page.getByText(value).first().waitFor()
      await fits()
    }
  })
})
