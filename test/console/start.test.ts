import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { prepareAxe } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { holdAgainstAxe, visitConsole } from '../support/console/console.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip } from '../support/video.ts'

const run = promisify(execFile)

describe.skipIf(!hasBrowser)('the start page of the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('each step ticks itself off as its code is run as shown, in every language', async () => {
    const { page, projectId, go, service } = await visitConsole(browser)
    await prepareAxe(page)
    await page.waitForURL(`**/console/${projectId}/start`)
    await page.reload()
    const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-start-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(path.join(folder, 'holiday.mp4'), await clip(4))
    const steps = page.getByRole('main').locator('ol > li')
    const [upload, embed, count] = [steps.nth(0), steps.nth(1), steps.nth(2)]
    await upload.getByText('Waiting for the first upload').waitFor()
    await count.getByText('Once there is a post in a public feed').waitFor()
    await holdAgainstAxe(page, 'start-new')
    // Nothing below is seen because a page was loaded anew.
    await page.evaluate('self.isSame = true')

    await upload.getByRole('button', { name: 'Create a key' }).click()
    await upload.getByText('Your new key is filled in').waitFor()
    await shell(folder, await codeOf(upload, 'curl'))
    await upload.getByText('Done').waitFor()
    await upload.getByText('holiday.mp4', { exact: true }).waitFor()

    await embed.getByText('There is no post in a public feed yet').waitFor()
    await script(folder, await codeOf(embed, 'TypeScript'))
    await embed.getByText('Done').waitFor()

    await count.getByRole('button', { name: 'Create a key' }).click()
    await count.getByText('Your new key is filled in').waitFor()
    const html = await codeOf(count, 'HTML')
    expect(html).toMatch(/post="feed_\w+\/post_\w+"/)
    const visitor = await browser.newPage()
    onTestFinished(() => visitor.close())
    await visitor.goto(await serve(html))
    await visitor
      .locator('marquee-player')
      .evaluate((player) => (player as unknown as { play(): Promise<void> }).play())
    await count.getByText('Done').waitFor()
    await page.getByText('All three work.').waitFor()
    expect(await page.evaluate('self.isSame')).toBe(true)
    await holdAgainstAxe(page, 'start-done')

    // A project that has it all opens with its library; a new one begins here.
    await page.goto(`${service.url}/console/`)
    await page.waitForURL(`**/console/${projectId}/library`)
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('create pro')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Films')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.endsWith('/start') && !url.pathname.includes(projectId))
    await upload.getByText('Waiting').waitFor()
    await upload.getByRole('button', { name: 'Create a key' }).click()
    await upload.getByText('Your new key is filled in').waitFor()
    await script(folder, await codeOf(upload, 'TypeScript'))
    await upload.getByText('Done').waitFor()
    await shell(folder, await codeOf(embed, 'curl'))
    await embed.getByText('Done').waitFor()
    await count.getByRole('button', { name: 'Create a key' }).click()
    await count.getByText('Your new key is filled in').waitFor()
    await shell(folder, await codeOf(count, 'curl'))
    await count.getByText('Done').waitFor()
    await script(folder, await codeOf(count, 'TypeScript'))
    await go('library')
  })

  test('says what failed, in the step where it failed, rather than waiting for it', async () => {
    const { page, go } = await visitConsole(browser)
    await prepareAxe(page)
    await go('start')
    const steps = page.getByRole('main').locator('ol > li')
    const [upload, count] = [steps.nth(0), steps.nth(2)]
    await upload.getByText('Waiting for the first upload').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await upload.getByRole('button', { name: 'Choose a file' }).click()
    const broken = { name: 'pier.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') }
    await (await chooser).setFiles(broken)
    await upload.getByText('pier.jpg was not uploaded.').waitFor()
    await upload.getByRole('alert').filter({ hasText: 'this is a text file' }).waitFor()
    await upload.getByText(/req_/).waitFor()
    expect(await upload.getByText('Waiting').count()).toBe(0)
    await holdAgainstAxe(page, 'start-failed')

    // What cannot be found out says so, and is found out as soon as it can be.
    let isDown = true
    await page.route('**/analytics/v1/values*', (route) =>
      isDown
        ? route.fulfill({ status: 500, json: { code: 500, error: 'Internal server error' } })
        : route.continue(),
    )
    await page.reload()
    await count.getByText('could not be found out').waitFor()
    await count.getByRole('alert').getByText('Internal server error').waitFor()
    isDown = false
    await count.getByText('could not be found out').waitFor({ state: 'detached' })
    await upload.getByText('Waiting for the first upload').waitFor()
  })

  test('the lines for a page count an image as well, as they are copied', async () => {
    const { page, go, api } = await visitConsole(browser)
    await uploaderOf(api).upload(await smallJpeg())
    await go('start')
    const steps = page.getByRole('main').locator('ol > li')
    const [embed, count] = [steps.nth(1), steps.nth(2)]
    await count.getByText('Once there is a post in a public feed').waitFor()
    await embed.getByRole('button', { name: 'Publish' }).click()
    await embed.getByText('Done').waitFor()
    await count.getByRole('button', { name: 'Create a key' }).click()
    await count.getByText('Your new key is filled in').waitFor()
    const visitor = await browser.newPage()
    onTestFinished(() => visitor.close())
    await visitor.goto(await serve(await codeOf(count, 'HTML')))
    await visitor.frameLocator('iframe').getByRole('img').first().waitFor()
    await count.getByText('Done').waitFor()
  })
})

/** The code of a step in a language, as somebody would copy it. */
async function codeOf(step: ReturnType<Page['locator']>, language: string): Promise<string> {
  await step.getByRole('tab', { name: language }).click()
  return step.getByRole('tabpanel').locator('pre').innerText()
}

/** Fails where any line does. */
async function shell(cwd: string, code: string): Promise<void> {
  const { stdout } = await run('sh', ['-ec', code], { cwd })
  expect(stdout).not.toContain('"code"')
}

async function script(cwd: string, code: string): Promise<void> {
  writeFileSync(path.join(cwd, 'snippet.mts'), code)
  await run(process.execPath, ['snippet.mts'], { cwd })
}

/** A site of somebody else with these lines on it. */
async function serve(html: string): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>A page</title>${html}`),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
