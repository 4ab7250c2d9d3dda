import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeSignInLink } from '../../server/access/links/operator-links.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { OWNER, shoot } from '../support/console/console.ts'
import { composeForTest } from '../support/in-process.ts'
import { CLIENT, startOpenIdProvider } from '../support/openid-provider.ts'
import { linkIn, startSmtpServer } from '../support/smtp-server.ts'
import { addTenant } from '../support/world.ts'

describe.skipIf(!hasBrowser)('the console for people who are not signed in', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  async function visit(colorScheme: 'light' | 'dark' = 'light', width = 1440): Promise<Page> {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await prepareAxe(page)
    return page
  }

  test('a link signs in once, and is gone from the address', async () => {
    const service = await composeForTest()
    const { url, sql } = service
    await addTenant(service, 'acme')
    const wanted = { email: OWNER.email, orgId: undefined }
    const { link } = await makeSignInLink(OPERATOR, wanted, { sql, baseUrl: url })
    const page = await visit()
    await page.goto(link)
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(page.url()).not.toContain('#')
    await page.goBack()
    expect(page.url()).not.toContain('link=')

    const other = await visit('dark', 360)
    await other.goto(`${url}/console/sign-in`)
    await other.getByLabel('Email').waitFor()
    // Into a page that is open already.
    await other.goto(link)
    await other.getByText('used before').waitFor()
    await shoot(other, 'sign-in-link-spent')
    expect(await violationsIn(other)).toEqual([])
  })

  test('a forgotten password is replaced by a mailed link', async () => {
    const smtp = await startSmtpServer()
    const openId = await startOpenIdProvider()
    onTestFinished(openId.close)
    const service = await composeForTest({
      env: {
        MARQUEE_SMTP_URL: smtp.url,
        MARQUEE_MAIL_FROM: 'media@example.com',
        MARQUEE_OIDC_ISSUER: openId.issuer,
        MARQUEE_OIDC_CLIENT_ID: CLIENT.id,
        MARQUEE_OIDC_NAME: 'Harbour ID',
      },
    })
    await addTenant(service, 'acme')
    const page = await visit()
    await page.goto(`${service.url}/console/sign-in#error=openid_unknown`)
    await page.getByText('no account and no invitation').waitFor()
    const issuer = page.getByRole('link', { name: 'Sign in with Harbour ID' })
    expect(await issuer.getAttribute('href')).toBe('/auth/v1/browser/openid/default')
    await shoot(page, 'sign-in')
    expect(await violationsIn(page)).toEqual([])

    await page.getByRole('link', { name: 'Forgot' }).click()
    // The page before has a field of that name too.
    await page.getByRole('button', { name: 'Mail me a link' }).waitFor()
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByText('is on its way').waitFor()
    await expect.poll(() => smtp.received.length).toBe(1)
    const { hash } = new URL(linkIn(smtp.received[0]!))
    await page.goto(`${service.url}/console/reset${hash}`)
    await page.getByLabel('New password').fill('quite another one')
    expect(page.url()).not.toContain('#')
    await shoot(page, 'reset')
    expect(await violationsIn(page)).toEqual([])
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill('quite another one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
  })
})
