import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { OWNER, shoot, visitConsole } from '../support/console/console.ts'

const SESSION = '/auth/v1/browser/session'

/** What a page of somebody else tries with the cookie of whoever looks at it. As text: it runs there. */
const attempts = (url: string) => `(async () => {
  const said = {}
  for (const [method, path] of [
    ['POST', '${SESSION}/renew'],
    ['DELETE', '${SESSION}'],
    ['GET', '/auth/v1/users/current'],
    ['GET', '/organization/v1'],
    ['GET', '/media'],
    ['GET', '/console/'],
  ])
    for (const mode of ['cors', 'no-cors']) {
      if (mode === 'no-cors' && method === 'DELETE') continue
      const read = await fetch('${url}' + path, { method, mode, credentials: 'include' })
        .then(async (response) => (response.ok ? await response.text() : ''))
        .catch(() => '')
      said[mode + ' ' + method + ' ' + path] = read
    }
  return said
})()`

/** A page that posts a form of its own to the service as soon as it is open. */
const form = (action: string, fields: Record<string, string> = {}, enctype = 'text/plain') =>
  `<form method="post" action="${action}" enctype="${enctype}">${Object.entries(fields)
    .map(([name, value]) => `<input name='${name}' value='${value}'>`)
    .join('')}<button>Win a prize</button></form>`

describe.skipIf(!hasBrowser)('a page of another origin', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  // Another port is another origin of the same site, to which a browser sends the cookie all the same.
  test.each([
    ['of the same site', '127.0.0.1', true],
    ['of another site', 'localhost', false],
  ])('%s can do nothing with a console that is open beside it', async (_which, host, hasCookie) => {
    // Any page may use the API with a credential of its own; the cookie is none.
    const env = { MARQUEE_CORS_ORIGINS: '*' }
    const { page, go, service, projectId } = await visitConsole(browser, { env })
    await go('feeds')
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    const context = page.context()
    const cookies = () => context.cookies(`${service.url}${SESSION}`)
    const before = await cookies()
    expect(before).toHaveLength(1)

    const other = await context.newPage()
    const answers = heardBy(other, service.url)
    const site = await serve(host, {
      '/': '<!doctype html><title>Prizes</title>',
      '/renew': form(`${service.url}${SESSION}/renew`),
      '/sign-in': form(`${service.url}${SESSION}`, { '{"email":"mallory@else.example","a': '":"b"}' }),
      '/key': form(`${service.url}/organizations/v1/projects`, { name: 'theirs' }),
      '/frame': `<iframe src="${service.url}/console/${projectId}/feeds" width="800" height="600"></iframe>`,
    })

    await other.goto(`${site}/`)
    const said = await other.evaluate(attempts(service.url))
    for (const [what, text] of Object.entries(said as Record<string, string>)) expect(text, what).toBe('')

    for (const path of ['/renew', '/sign-in', '/key']) {
      await other.goto(site + path)
      const posting = other.waitForRequest((request) => request.method() === 'POST')
      await other.getByRole('button').click()
      await other.waitForURL(`${service.url}/**`)
      if (path !== '/renew') continue
      const { cookie = '' } = await (await posting).allHeaders()
      expect(cookie.includes('marquee_session=')).toBe(hasCookie)
    }
    // By script, whose answer is seen where nobody reads it, and by form it has reached the service, and was refused there.
    expect(answers.get(`POST ${SESSION}/renew`)).toEqual([403, 403])
    expect([...answers.values()].flat().filter((status) => status < 400)).toEqual([])

    await other.goto(`${site}/frame`)
    await other.waitForLoadState('networkidle')
    const [framed] = other.frames().filter((frame) => frame !== other.mainFrame())
    expect(await framed!.locator('body').innerText()).not.toContain('Feeds')
    await shoot(other, `other-origin-${host}`)

    // Who looks at it is still who they were, in the tab that was open and in a new one.
    expect(await cookies()).toEqual(before)
    await page.reload()
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor()
    await page.getByRole('button', { name: `Account: ${OWNER.email}` }).waitFor()
  })
})

/** The statuses of what a page asks the service, by method and path; of pages of the console and preflights none. */
function heardBy(page: Page, url: string): Map<string, number[]> {
  const heard = new Map<string, number[]>()
  page.on('response', (response) => {
    const { pathname, origin } = new URL(response.url())
    const method = response.request().method()
    if (origin !== url || method === 'OPTIONS' || pathname.startsWith('/console')) return
    const name = `${method} ${pathname}`
    heard.set(name, [...(heard.get(name) ?? []), response.status()])
  })
  return heard
}

/** A site of somebody else with these pages. */
async function serve(host: string, pages: Record<string, string>): Promise<string> {
  const server = createServer((request, response) =>
    response.setHeader('content-type', 'text/html').end(pages[request.url ?? ''] ?? ''),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://${host}:${(server.address() as AddressInfo).port}`
}
