import { expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'

test('CI has a browser to test with', () => {
  if (process.env.CI) expect(hasBrowser).toBe(true)
})

test.runIf(hasBrowser)('/docs shows the operations, from this server alone', async () => {
  const { url } = await composeForTest()
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    const elsewhere: string[] = []
    const failures: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) elsewhere.push(request.url())
    })
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
    page.on('pageerror', (error) => failures.push(error.message))
    await page.goto(`${url}/docs`)
    await page.getByText('What owns media').click()
    await page.getByText('The current project with its storage').waitFor()
    expect(await page.title()).toBe('Marquee API')
    await page.getByText('The current project with its storage').click()
    await page.getByText('storage_limit').first().waitFor()
    expect({ elsewhere, failures }).toEqual({ elsewhere: [], failures: [] })
  } finally {
    await browser.close()
  }
})
