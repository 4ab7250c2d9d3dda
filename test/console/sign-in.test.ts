import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { OWNER, shoot, visitConsole } from '../support/console/console.ts'
import { composeForTest } from '../support/in-process.ts'
import { addMember, addTenant } from '../support/world.ts'

describe.skipIf(!hasBrowser)('signing in to the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('leads to where one wanted to go, outlives a reload, and ends in all tabs at once', async () => {
    const service = await composeForTest()
    const { projectId } = await addTenant(service, 'acme')
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${service.url}/console/${projectId}/feeds`)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill('another one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('do not belong together').waitFor()
    await page.getByText(/^req_/).waitFor()
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()

    await page.reload()
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    const other = await context.newPage()
    // The address of the service itself leads to the console.
    await other.goto(`${service.url}/`)
    await other.waitForURL('**/console/**')
    await other.getByRole('button', { name: 'Account' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const one of [other, page]) await one.getByLabel('Password').waitFor()
    await context.close()
  })

  test('which failed to end says so and stays, with a way to try again', async () => {
    const { page, go, service, projectId } = await visitConsole(browser)
    await go('feeds')
    let isCut = true
    await page.route('**/auth/v1/browser/session', (route) => (isCut ? route.abort() : route.continue()))
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const note = page.getByRole('alert').filter({ hasText: 'You are still signed in' })
    await note.waitFor()
    await shoot(page, 'sign-out-failed')
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    isCut = false
    await note.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Password').waitFor()
    await page.goto(`${service.url}/console/${projectId}/feeds`)
    await page.getByLabel('Password').waitFor()
  })

  test('leads on a tab that waits, also where another way than this page has signed the browser in', async () => {
    const service = await composeForTest()
    const { projectId } = await addTenant(service, 'acme')
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const waiting = await context.newPage()
    await waiting.goto(`${service.url}/console/${projectId}/feeds`)
    await waiting.getByLabel('Password').waitFor()
    // As on the way back from an issuer: the answer of the service brings the cookie, and the console is loaded.
    await context.request.post(`${service.url}/auth/v1/browser/session`, {
      data: OWNER,
      headers: { origin: service.url },
    })
    const other = await context.newPage()
    await other.goto(`${service.url}/console/${projectId}/library`)
    await other.getByRole('navigation', { name: 'Main' }).waitFor()
    await waiting.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
  })

  test('as somebody else in another tab closes what was open here, and stops its uploads', async () => {
    const { page, go, service, tenant, api } = await visitConsole(browser)
    await addMember(service, tenant, 'viewer@acme.example', ['videos:read'])
    await go('library')
    // The upload never comes to its end by itself.
    await page.route('**/upload/init', () => {})
    const file = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') }
    await page.getByLabel('Choose files').setInputFiles(file)
    await page.getByRole('region', { name: 'Uploads' }).waitFor()

    const other = await page.context().newPage()
    await other.goto(`${service.url}/console/sign-in`)
    await other.getByLabel('Email').fill('viewer@acme.example')
    await other.getByLabel('Password').fill(OWNER.password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.getByText('Another person has signed in in another tab.').waitFor()
    await page.getByText('1 upload of theirs was stopped.').waitFor()
    await page.getByRole('button', { name: 'Account: viewer@acme.example' }).waitFor()
    expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0)
    await shoot(page, 'signed-in-as-another')
    expect((await api.get('/media')).body.pagination.total).toBe(0)
  })

  test('nothing of the page comes from elsewhere, and no script or style that is not its own runs', async () => {
    const { page, service } = await visitConsole(browser)
    const policy = (await fetch(`${service.url}/console/`)).headers.get('content-security-policy')!
    expect(policy).not.toMatch(/unsafe|\bhttps?:(?!\/\/)/)
    const refused = await page.evaluate(`(async () => {
      const heard = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => heard.push(effectiveDirective))
      const script = document.createElement('script')
      script.append('self.hurt = 1')
      document.body.append(script)
      document.body.append(Object.assign(document.createElement('style'), { textContent: 'body{color:red}' }))
      while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
      return [...heard, 'hurt' in self]
    })()`)
    expect(refused).toEqual(['require-trusted-types-for', 'style-src-elem', false])
    await shoot(page, 'shell')
  })
})
