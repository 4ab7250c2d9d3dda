import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { OWNER, shoot, visitConsole } from '../support/console/console.ts'
import { composeForTest } from '../support/in-process.ts'
import { addTenant } from '../support/world.ts'

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
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()

    await page.reload()
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    const other = await context.newPage()
    await other.goto(`${service.url}/console/`)
    await other.getByRole('button', { name: 'Account' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const one of [other, page]) await one.getByLabel('Password').waitFor()
    await context.close()
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
