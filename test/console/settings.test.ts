import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { key } from '../support/api.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { holdAgainstAxe, OWNER, shoot, signIn as signInAs, visitConsole } from '../support/console/console.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { local, uploaderOf } from '../support/media.ts'
import { newSigningKey } from '../support/playback.ts'
import { smallJpeg } from '../support/posts.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { deliver, PROVIDERS, standardEvent, standardSigned } from '../support/webhooks.ts'
import { addMember } from '../support/world.ts'

const SECTIONS = [
  'Keys',
  'Members',
  'Policies',
  'Projects',
  'Webhooks',
  'Signing keys',
  'Plan and usage',
  'Billing events',
  'Failed requests',
  'Audit log',
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
  /** As one closes other dialogs. */
  const tryToClose = async (page: Page) => {
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
  }
  const shownOnce = async (page: Page): Promise<string> => {
    const text = await page.getByTestId('shown-once').innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    return text
  }

  test('a signing key is made, its private half had once, and deleted', async () => {
    const { page, go, service, api, tenant } = await visitConsole(browser, { reducedMotion: 'reduce' })
    await prepareAxe(page)
    const { body: image } = await uploaderOf(api).upload(await smallJpeg())
    await api.patch(`/images/${image.id as string}`, { visibility: 'private' })
    await go('settings/keys')
    await page.getByRole('button', { name: 'Create key' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('signing')
    await page.getByRole('option', { name: /Signing keys/ }).click()
    await page.waitForURL(/settings\/signing-keys$/)
    await page.getByText('No signing keys yet').waitFor()
    await page.getByRole('button', { name: 'Create signing key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('App server')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByTestId('shown-once').waitFor()
    await shoot(page, 'settings-signing-key-made')
    // Also under the mouse. Colours that are on their way have too little contrast.
    await page.getByRole('button', { name: 'Done' }).hover()
    await expect.poll(() => violationsIn(page)).toEqual([])
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await downloading
    const pem = await readFile(await file.path(), 'utf8')
    expect((await shownOnce(page)).trim()).toBe(pem.trim())
    expect(await page.content()).not.toContain('PRIVATE KEY')
    const row = page.getByRole('row').filter({ hasText: 'App server' })
    await row.getByText('acme project').waitFor()
    const kid = file.suggestedFilename().replace('.pem', '')
    await row.getByTitle(kid).waitFor()
    await holdAgainstAxe(page, 'settings-signing-keys')

    const token = await new SignJWT({ sub: image.id })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setExpirationTime('1 minute')
      .sign(createPrivateKey(pem))
    const statusOf = async () => (await fetch(`${local(image.file.url)}?token=${token}`)).status
    expect(await statusOf()).toBe(200)
    await choose(page, 'App server', 'Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('App server is deleted').waitFor()
    await page.getByText('No signing keys yet').waitFor()
    expect(await statusOf()).toBe(403)

    // Who may only look at projects sees them, and makes none.
    await addMember(service, tenant, 'reader@acme.example', ['projects:read'])
    await newSigningKey(api, tenant.orgId, tenant.projectId)
    const other = await another()
    await signInAs(other, service, 'reader@acme.example')
    await other.goto(page.url())
    await other.getByRole('row').filter({ hasText: 'App' }).waitFor()
    expect(await other.getByRole('button', { name: 'Create signing key' }).count()).toBe(0)
    await other.getByRole('button', { name: 'Actions on App' }).click()
    await other.getByRole('menuitem', { name: 'Copy public half' }).waitFor()
    expect(await other.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  })

  test('a key is made, used, rotated with both secrets working, and revoked', async () => {
    const { page, go, service } = await visitConsole(browser)
    const statusOf = async (secret: string) => (await service.api.as(key(secret)).get('/videos')).status
    await go('settings')
    await page.waitForURL(/settings\/keys$/)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Encoder')
    await dialog.getByLabel('Expires').selectOption('90 days')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api-keys/v1', async (route) => {
      if (route.request().method() === 'POST') await answered
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Create' }).click()
    // While the key is being made, nothing closes what will show its secret.
    await tryToClose(page)
    for (const name of ['Close', 'Cancel', 'Create'])
      expect(await dialog.getByRole('button', { name }).isDisabled()).toBe(true)
    answer()
    await page.getByTestId('shown-once').waitFor()
    await shoot(page, 'settings-key-made')
    // Nothing but its button takes the only copy away.
    await tryToClose(page)
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
    const first = await shownOnce(page)
    expect(await statusOf(first)).toBe(200)
    const row = page.getByRole('row').filter({ hasText: 'Encoder' })
    await row.getByText('in 3 months').waitFor()
    // It is nowhere to be seen again.
    expect(await page.content()).not.toContain(first)
    // When it was used last is.
    await expect
      .poll(async () => {
        await page.reload()
        return row.innerText()
      })
      .not.toContain('Never')

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
    await page.getByRole('link', { name: 'Keys', exact: true }).click()

    await choose(page, 'Encoder', 'Revoke')
    await shoot(page, 'settings-key-revoke')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    // The table cannot be seen while the dialog asks, either.
    await expect.poll(async () => [await statusOf(first), await statusOf(second)]).toEqual([401, 401])
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
    expect(await sections.allInnerTexts()).toEqual(['Projects', 'Webhooks', 'Signing keys', 'Account'])
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

  const signIn = async (page: Page, url: string, password: string) => {
    await page.goto(url)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('where mail is set up, an invitation is mailed, or a link to copy is shown, also later', async () => {
    const smtp = await startSmtpServer()
    const env = { MARQUEE_SMTP_URL: smtp.url, MARQUEE_MAIL_FROM: 'media@example.com' }
    const { page, go } = await visitConsole(browser, { env })
    await prepareAxe(page)
    await go('settings/members')
    const dialog = page.getByRole('dialog')
    const invite = async (email: string, asLink: boolean) => {
      await page.getByRole('button', { name: 'Invite a member' }).click()
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByLabel('Show a link').setChecked(asLink)
      await dialog.getByRole('button', { name: 'Invite' }).click()
    }
    await invite('ada@acme.example', false)
    await page.getByText('An invitation was mailed to ada@acme.example').waitFor()
    expect(smtp.received.map(({ to }) => to)).toEqual([['ada@acme.example']])
    await invite('grace@acme.example', true)
    const links = [await shownOnce(page)]
    await choose(page, 'ada@acme.example', 'New link')
    await dialog.getByRole('button', { name: 'New link' }).click()
    links.push(await shownOnce(page))
    expect(smtp.received).toHaveLength(1)
    await page.setViewportSize({ width: 360, height: 900 })
    await shoot(page, 'settings-invitations-360')
    expect(await violationsIn(page)).toEqual([])

    const other = await another()
    for (const link of links) {
      await other.goto('about:blank')
      await other.goto(link)
      await other.getByRole('heading', { name: 'acme' }).waitFor()
    }
  })

  test('a sign-in that is ended from the list ends in that browser', async () => {
    const { page, go, service, projectId } = await visitConsole(browser)
    const other = await another()
    await signIn(other, `${service.url}/console/${projectId}/settings/account`, OWNER.password)
    await other.getByText('This browser').waitFor()

    await go('settings/account')
    await shoot(page, 'settings-account')
    const ends = page.getByRole('button', { name: 'End', exact: true })
    await ends.first().waitFor()
    for (let left = await ends.count(); left > 0; left--) {
      await ends.first().click()
      await expect.poll(() => ends.count()).toBe(left - 1)
    }
    await other.getByRole('link', { name: 'Keys', exact: true }).click()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByText('This browser').waitFor()

    await signIn(other, `${service.url}/console/${projectId}/settings/account`, OWNER.password)
    await other.getByText('This browser').waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByLabel('Password', { exact: true }).waitFor()
    for (const one of [page, other]) {
      await one.reload()
      await one.getByLabel('Password', { exact: true }).waitFor()
    }
  })

  test('a policy is changed, attached to a key and detached again, and the key may do just that', async () => {
    const { page, go, service } = await visitConsole(browser)
    await go('settings/policies?policy=new')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Readers')
    await dialog.getByText('Upload, subtitles, audio tracks, chapters, posters').waitFor()
    await dialog.getByLabel('Images: See').check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await choose(page, 'Readers', 'Edit')
    await dialog.getByLabel('Images: See').uncheck()
    await dialog.getByLabel('Videos: See').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Readers' })
    await row.getByText('Videos: See', { exact: true }).waitFor()

    await go('settings/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByLabel('Name').fill('Screen')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const api = service.api.as(key(await shownOnce(page)))
    const allowed = async () => [(await api.get('/videos')).status, (await api.get('/images')).status]
    expect(await allowed()).toEqual([200, 200])

    await go('settings/policies')
    await choose(page, 'Readers', 'Attached to')
    await dialog.getByText('Nobody yet.').waitFor()
    await dialog.getByLabel('Attach to').selectOption({ label: 'Screen (key of acme project)' })
    await dialog.getByRole('button', { name: 'Attach', exact: true }).click()
    const attached = dialog.getByRole('list', { name: 'Attached to' })
    await attached.getByText('Screen').waitFor()
    await shoot(page, 'settings-policy-attached')
    expect(await allowed()).toEqual([200, 403])
    // Which dialog is open is in the address.
    await page.reload()
    await dialog.getByRole('button', { name: 'Detach Screen' }).click()
    await page.getByText('Detached from Screen').waitFor()
    expect(await allowed()).toEqual([200, 200])
    await page.getByRole('button', { name: 'Undo' }).click()
    await attached.getByText('Screen').waitFor()
    expect(await allowed()).toEqual([200, 403])
  })

  test('a new password takes the old one and ends other sign-ins', async () => {
    const { page, go, service, projectId } = await visitConsole(browser)
    const other = await another()
    await signIn(other, `${service.url}/console/${projectId}/settings/account`, OWNER.password)
    await other.getByText('This browser').waitFor()
    await go('settings/account')
    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill('a rather better one')
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await change('not the one it is')
    await page.getByText('That is not your password.').waitFor()
    await shoot(page, 'settings-password-refused')
    await change(OWNER.password)
    await page.getByText('The password is changed').waitFor()
    // This browser stays signed in, with nothing in the fields; the other is asked again.
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    await page.reload()
    await page.getByText('This browser').waitFor()
    await signIn(other, other.url(), OWNER.password)
    await other.getByText('do not belong together').waitFor()
    await signIn(other, other.url(), 'a rather better one')
    await other.getByText('This browser').waitFor()
  })

  test('a domain is proved by its record, and who deletes the project they are in is led to the next', async () => {
    const dns = await startDnsServer()
    const env = { MARQUEE_DNS_SERVERS: dns.address }
    const { page, go, projectId } = await visitConsole(browser, { env })
    const dialog = page.getByRole('dialog')
    await go('settings/projects')
    await page.getByRole('button', { name: 'Create project' }).click()
    await dialog.getByLabel('Name').fill('Films')
    await dialog.getByLabel('Video quality').selectOption('Pro')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Films is created').waitFor()
    await go('settings/projects')

    await choose(page, 'Films', 'Custom domain')
    await dialog.getByLabel('Custom domain').fill('media.acme.example')
    await dialog.getByRole('button', { name: 'Claim domain' }).click()
    await dialog.getByText('Set this record').waitFor()
    await shoot(page, 'settings-domain')
    const [type, name, value] = await dialog.locator('dd code').allInnerTexts()
    expect(type).toBe('TXT')
    await dialog.getByRole('button', { name: 'Check now' }).click()
    await dialog.getByText('The record is not there yet.').waitFor()
    dns.texts.set(name!, [value!])
    await dialog.getByRole('button', { name: 'Check now' }).click()
    await dialog.getByText('Verified').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const films = page.getByRole('row').filter({ hasText: 'Films' })
    await films.getByText('media.acme.example').waitFor()
    await films.getByText('Verified').waitFor()
    await films.getByText('Pro', { exact: true }).waitFor()

    const remove = async (named: string) => {
      await choose(page, named, 'Delete')
      await dialog.getByLabel(`Type ${named} to confirm`).fill(named)
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByText(`${named} is deleted`).waitFor()
    }
    await remove('acme project')
    await page.waitForURL((url) => !url.href.includes(projectId) && url.href.endsWith('/settings/projects'))
    await films.waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'acme project' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Project', exact: false }).first().waitFor()

    // Without any, one begins anew.
    await remove('Films')
    await page.getByRole('button', { name: 'Create project' }).click()
    await dialog.getByLabel('Name').fill('Once more')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
  })

  test('what a payment provider told is shown as it came and counted once more, and storage is drawn by the day', async () => {
    const visit = await visitConsole(browser, { env: PROVIDERS })
    const { page, go, service, projectId } = visit
    const [project] = await service.sql<{ org_id: string }[]>`
      select org_id from projects where id = ${projectId}`
    const { org_id } = project!
    const body = standardEvent('subscription.created', {
      org_id,
      plan: 'price_pro',
      payer: 'ada@acme.example',
    })
    expect((await deliver(service.url, standardSigned(body, { id: 'msg_1' }))).status).toBe(200)
    await go('settings/billing')
    await page.getByRole('row').filter({ hasText: 'subscription.created' }).getByText('payments').waitFor()
    await page.getByRole('button', { name: 'Show' }).click()
    const dialog = page.getByRole('dialog')
    await page.waitForURL(/event=msg_1/)
    await page.reload()
    await dialog.getByText('"payer": "ada@acme.example"').waitFor()
    await shoot(page, 'settings-billing-event')
    // It is counted by what the settings and the subscriptions say now.
    await service.sql`update organizations set plan = 'pay_as_you_go' where id = ${org_id}`
    const planOf = async () =>
      (await service.sql`select plan from organizations where id = ${org_id}`)[0]!.plan
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('The event was counted once more').waitFor()
    expect(await planOf()).toBe('pro')
    await dialog.getByRole('button', { name: 'Close' }).click()

    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const samples = [
      [3, 1_000_000, 5_000_000],
      [2, 2_500_000, 5_000_000],
      [1, 4_000_000, 10_000_000],
    ] as const
    for (const [ago, size, limit] of samples)
      await service.sql`
        insert into usage_samples (day, project_id, org_id, plan, storage_used, storage_limit, videos, images)
        values (${day(ago)}, ${projectId}, ${org_id}, 'pro', ${size}, ${limit}, 1, 2)`
    await go('settings/plan')
    await page.getByText(/^Pro(Trial|Active)/).waitFor()
    const history = page.getByRole('region', { name: 'Storage over time' })
    await expect.poll(() => history.getByRole('listitem').count()).toBeGreaterThanOrEqual(3)
    await history.getByText('Limit: 10 MB').waitFor()
    await history.getByText('2.5 MB of 5 MB').waitFor()
    await shoot(page, 'settings-plan-history')
    await page.setViewportSize({ width: 360, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await shoot(page, 'settings-plan-history-360', true)
    await page.setViewportSize({ width: 1440, height: 900 })
    await history.getByRole('button', { name: 'As a table' }).click()
    await page.waitForURL(/history=table/)
    await history.getByRole('table').waitFor()
    // Numbers stand below each other, figure below figure.
    const [named, ...numbers] = await history.locator('tbody tr').first().locator('td').evaluateAll(writtenAs)
    expect(named!.textAlign).toBe('start')
    expect(numbers).toHaveLength(4)
    for (const number of numbers)
      expect(number).toEqual({ textAlign: 'end', fontVariantNumeric: 'tabular-nums' })
    await history.getByText('2.5 MB').waitFor()
    const downloading = page.waitForEvent('download')
    await history.getByRole('button', { name: 'CSV' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    expect(file).toContain(`${day(2)},2500000,5000000,1,2\r\n`)
  })

  const looks = [
    ['dark', 360],
    ['light', 1440],
  ] as const
  test.each(process.env.MARQUEE_TEST_LONG ? looks : looks.slice(0, 1))(
    'every section can be read by everybody: %s, %i px',
    async (colorScheme, width) => {
      const { page, go } = await visitConsole(browser, { colorScheme, viewport: { width, height: 900 } })
      await prepareAxe(page)
      await go('settings')
      for (const name of SECTIONS) {
        await page
          .getByRole('navigation', { name: 'Settings' })
          .getByRole('link', { name, exact: true })
          .click()
        await page.getByRole('region', { name, exact: true }).waitFor()
        await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
        await shoot(page, `settings-${name}-${colorScheme}-${width}`)
        expect(await violationsIn(page), name).toEqual([])
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(wide, name).toBeLessThanOrEqual(width)
      }
    },
  )
})

/** How a cell is written; it runs in the page. */
function writtenAs(cells: unknown[]): { textAlign: string; fontVariantNumeric: string }[] {
  const { getComputedStyle: styleOf } = globalThis as unknown as {
    getComputedStyle(element: unknown): { textAlign: string; fontVariantNumeric: string }
  }
  return cells.map((cell) => {
    const { textAlign, fontVariantNumeric } = styleOf(cell)
    return { textAlign, fontVariantNumeric }
  })
}
