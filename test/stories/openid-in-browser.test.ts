import { expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { CLIENT, startOpenIdProvider } from '../support/openid-provider.ts'
import { addTenant } from '../support/world.ts'

// What a real browser does with cookies when another site leads it back is what all of this rests on.
test.runIf(hasBrowser)('a real browser comes back from another site and is signed in', async () => {
  const openId = await startOpenIdProvider()
  onTestFinished(openId.close)
  openId.person = { sub: 'abc', email: 'owner@acme.example', email_verified: true }
  const service = await composeForTest({
    env: {
      MARQUEE_OIDC_ISSUER: openId.issuer,
      MARQUEE_OIDC_CLIENT_ID: CLIENT.id,
      MARQUEE_OIDC_CLIENT_SECRET: CLIENT.secret,
    },
  })
  await addTenant(service, 'acme')
  // The issuer is at 127.0.0.1, which is another site than localhost.
  const here = service.url.replace('127.0.0.1', 'localhost')
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const context = await browser.newContext()
  const page = await context.newPage()
  const renew = () =>
    page.evaluate(async () => {
      const response = await fetch('/auth/v1/browser/session/renew', { method: 'POST' })
      return response.status
    })
  await page.goto(`${here}/docs`)
  expect(await renew()).toBe(401)
  const lead = (to: string) => page.evaluate(`location.assign(${JSON.stringify(to)})`)
  await lead('/auth/v1/browser/openid/default')
  await page.waitForURL(/\/console/)
  expect(openId.exchanges).toEqual([200])
  const cookies = (await context.cookies(`${here}/auth/v1/browser`)).map(({ name, value: _, ...rest }) => [
    name,
    rest,
  ])
  expect(cookies).toEqual([
    [
      'marquee_session',
      expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/auth/v1/browser' }),
    ],
  ])
  await page.goto(`${here}/docs`)
  expect(await renew()).toBe(200)

  // A page of another site that leads there has nobody signed in by that.
  await page.goto(`${openId.issuer}/.well-known/openid-configuration`)
  await lead(`${here}/auth/v1/browser/openid/default`)
  await page.waitForURL(/\/openid\/default$/)
  expect(await page.textContent('body')).toContain('only pages of the service itself')
  expect(openId.exchanges).toEqual([200])
})
