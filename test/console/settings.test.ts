import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { key } from '../support/api.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { OWNER, shoot, visitConsole } from '../support/console/console.ts'

const SECTIONS = [
  'Keys',
  'Members',
  'Policies',
  'Projects',
  'Plan and usage',
  'Billing events',
  'Failed requests',
  'Account',
]

describe.skipIf(!hasBrowser)('the settings in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  /** Somebody else, in a browser of their own. */
  async function another(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    onTestFinished(() => context.close())
    return context.newPage()
  }

  const choose = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `Actions on ${name}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const shownOnce = async (page: Page): Promise<string> => {
    const text = await page.getByTestId('shown-once').innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    return text
  }

  test('a key is made, used, rotated with both secrets working, and revoked', async () => {
    const { page, go, service } = await visitConsole(browser)
    const statusOf = async (secret: string) => (await service.api.as(key(secret)).get('/videos')).status
    await go('settings')
    await page.waitForURL(/settings\/keys$/)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Encoder')
    await dialog.getByLabel('Expires').selectOption('90 days')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await shoot(page, 'settings-key-made')
    const first = await shownOnce(page)
    expect(await statusOf(first)).toBe(200)
    const row = page.getByRole('row').filter({ hasText: 'Encoder' })
    await row.getByText('in 3 months').waitFor()
    // It is nowhere to be seen again.
    expect(await page.content()).not.toContain(first)

    await choose(page, 'Encoder', 'Rotate')
    await dialog.getByLabel('The old secret').selectOption('In 1 hour')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    const second = await shownOnce(page)
    expect(second).not.toBe(first)
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])

    // What it was refused is listed, by its name and with the id that the answer had.
    const refused = await service.api.as(key(second)).get('/videos/none')
    expect(refused.status).toBe(400)
    await page.getByRole('link', { name: 'Failed requests' }).click()
    const request = page.getByRole('row').filter({ hasText: 'GET /videos/none' })
    await request.getByText('Encoder').waitFor()
    await shoot(page, 'settings-requests-one')
    await request.getByTitle(refused.headers.get('x-request-id')!).waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()

    await choose(page, 'Encoder', 'Revoke')
    await shoot(page, 'settings-key-revoke')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401])
  })

  test('a member is invited by a link, and is shown what their policy allows and nothing else', async () => {
    const { page, go } = await visitConsole(browser)
    await go('settings/policies')
    await page.getByRole('button', { name: 'Create policy' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Viewers')
    for (const permission of ['Videos: See', 'Projects: See']) await dialog.getByLabel(permission).check()
    await shoot(page, 'settings-policy')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Videos: See · Projects: See').waitFor()

    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await dialog.getByLabel('Email').fill('grace@acme.example')
    await dialog.getByLabel('Viewers').check()
    await shoot(page, 'settings-invite')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await shownOnce(page)
    await page.getByRole('table', { name: 'Open invitations' }).getByText('grace@acme.example').waitFor()

    const grace = await another()
    await grace.goto(link)
    await grace.getByRole('heading', { name: 'acme' }).waitFor()
    expect(grace.url()).not.toContain('#')
    await shoot(grace, 'accept')
    await grace.getByLabel('Password').fill('a password of her own')
    await grace.getByRole('button', { name: 'Accept' }).click()
    const main = grace.getByRole('navigation', { name: 'Main' })
    await main.getByRole('link', { name: 'Settings' }).click()
    const sections = grace.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await sections.first().waitFor()
    expect(await sections.allInnerTexts()).toEqual(['Projects', 'Account'])
    await grace.getByRole('cell', { name: 'acme project' }).waitFor()
    expect(await grace.getByRole('button', { name: /Actions|Create/ }).count()).toBe(0)
    await grace.goto(grace.url().replace('projects', 'keys'))
    await grace.getByText('you may not see it').waitFor()

    // The owner sees who has come, and shuts them out with a way back.
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'grace@acme.example' }).getByText('Viewers').waitFor()
    await choose(page, 'grace@acme.example', 'Suspend')
    await page.getByText('Suspended').waitFor()
    await page.setViewportSize({ width: 360, height: 900 })
    await shoot(page, 'settings-members-two')
    // A note stays as long as somebody points at it.
    await page.getByRole('button', { name: 'Undo' }).hover()
    await grace.goto(new URL('/console/', link).href)
    await grace.getByText('your membership is suspended').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Suspended').waitFor({ state: 'detached' })
    await grace.reload()
    await main.waitFor()
  })

  test('a sign-in that is ended from the list ends in that browser', async () => {
    const { page, go, service, projectId } = await visitConsole(browser)
    const other = await another()
    await other.goto(`${service.url}/console/${projectId}/settings/account`)
    await other.getByLabel('Email').fill(OWNER.email)
    await other.getByLabel('Password').fill(OWNER.password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('This browser').waitFor()

    await go('settings/account')
    await shoot(page, 'settings-account')
    const ends = page.getByRole('button', { name: 'End', exact: true })
    await ends.first().waitFor()
    for (let left = await ends.count(); left > 0; left--) {
      await ends.first().click()
      await expect.poll(() => ends.count()).toBe(left - 1)
    }
    await other.getByRole('link', { name: 'Keys' }).click()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByText('This browser').waitFor()
  })

  test.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)('every section can be read by everybody: %s, %i px', async (colorScheme, width) => {
    const { page, go } = await visitConsole(browser, { colorScheme, viewport: { width, height: 900 } })
    await prepareAxe(page)
    await go('settings')
    for (const name of SECTIONS) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
      await page.getByRole('region', { name }).waitFor()
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
      await shoot(page, `settings-${name}-${colorScheme}-${width}`)
      expect(await violationsIn(page), name).toEqual([])
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(wide, name).toBeLessThanOrEqual(width)
    }
  })
})
