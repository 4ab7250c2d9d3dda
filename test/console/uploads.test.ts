import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { OWNER, shoot, visitConsole } from '../support/console/console.ts'
import { objectsOnDisk } from '../support/media.ts'
import { look } from '../support/player/element.ts'
import { discard, freshDataDir, startService } from '../support/service.ts'
import { clip } from '../support/video.ts'

describe.skipIf(!hasBrowser)('uploads of the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('outlive the service: it is killed in the middle, and the tray goes on by itself', async () => {
    const dataDir = freshDataDir()
    let service = await startService({ dataDir })
    onTestFinished(async () => {
      await service.stop()
      discard(dataDir)
    })
    const { base_url } = service.quickstart
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    // By the link that the welcome prints, as the owner does the first time.
    await page.goto(/Sign in +(\S+)/.exec(service.output())![1]!)
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByText('Drop videos and images here').waitFor()
    const film = await largeFilm()
    await slowDown(page, 400_000)
    await upload(page, film)
    const tray = page.getByRole('region', { name: 'Uploads' })
    await expect.poll(async () => percentIn(await tray.innerText())).toBeGreaterThan(10)

    await service.kill()
    await tray.getByText('The service cannot be reached. It goes on by itself.').waitFor()
    await tray.getByText('0 of 1 uploaded, waiting for the service').waitFor()
    await shoot(page, 'uploads-away')
    await slowDown(page, -1)
    service = await startService({ dataDir, env: { MARQUEE_PORT: new URL(base_url).port } })
    await tray.getByText('1 file uploaded').waitFor({ timeout: 60_000 })

    // There once, to the byte as it was sent, and it plays.
    await page.getByRole('gridcell').filter({ hasText: 'film.mp4' }).click()
    expect((await service.api.get('/media')).body.pagination.total).toBe(1)
    // Looked for more than once: what is being made beside it comes and goes.
    const stored = () => objectsOnDisk(dataDir).map((file) => hashOf(readFileSync(file)))
    await expect.poll(stored).toContain(hashOf(film))
    await page.locator('marquee-player [part=play]').click()
    await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(0.3)
  })

  test('tell how fast they are and how long they take, and leave nothing when they are cancelled', async () => {
    const { page, api, go } = await visitConsole(browser)
    await go('library')
    await page.getByRole('heading', { name: 'Drop videos' }).waitFor()
    await slowDown(page, 100_000)
    await upload(page, await largeFilm())
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.getByText(/\d+% of 2\.?\d* MB · \d+ kB\/s · .* left/).waitFor()
    await shoot(page, 'uploads-under-way')
    await tray.getByRole('button', { name: 'Cancel film.mp4' }).click()
    await tray.waitFor({ state: 'detached' })
    await slowDown(page, -1)
    expect((await api.get('/media')).body.pagination.total).toBe(0)
    await go('library')
    await page.getByRole('heading', { name: 'Drop videos' }).waitFor()
  })

  test('wait for whoever began them, where the session ended in another tab or of itself', async () => {
    const visit = await visitConsole(browser, { env: { MARQUEE_ACCESS_TOKEN_LIFETIME: '10' } })
    const { page, service, api, projectId } = visit
    await visit.go('library?kind=video')
    await page.getByRole('searchbox').waitFor()
    await slowDown(page, 600_000)
    await upload(page, await largeFilm())
    const tray = page.getByRole('region', { name: 'Uploads' })
    await expect.poll(async () => percentIn(await tray.innerText())).toBeGreaterThan(10)

    const other = await page.context().newPage()
    await other.goto(`${service.url}/console/${projectId}/feeds`)
    await other.getByRole('button', { name: 'Account' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByLabel('Password').waitFor()
    expect(await other.getByRole('alert').count()).toBe(0)
    await page.getByText('You were signed out in another tab.').waitFor()
    await page.getByText('1 upload waits for you.').waitFor()
    await shoot(page, 'sign-in-elsewhere')
    await slowDown(page, -1)
    expect((await api.get('/media')).body.pagination.total).toBe(0)
    // Signed in in the one tab, the other is led on to the page that it was on.
    await signIn(other, OWNER.email, OWNER.password)
    await page.waitForURL(/library\?kind=video/)
    await tray.getByText('1 file uploaded').waitFor()
    await page.getByRole('gridcell').filter({ hasText: 'film.mp4' }).waitFor()

    // The service does not know the session any more: the first call that needs another token says so.
    await service.sql`delete from sessions`
    let typed = 0
    await expect
      .poll(
        async () => {
          await page
            .getByRole('searchbox')
            .fill(`film${++typed}`, { timeout: 1000 })
            .catch(() => {})
          return page.getByText('Your session has ended.').isVisible()
        },
        { interval: 1500 },
      )
      .toBe(true)
    await signIn(page, OWNER.email, OWNER.password)
    await page.waitForURL(/library\?kind=video&q=film\d/)
    await page.getByRole('searchbox').fill('film')
    await page.getByRole('gridcell').filter({ hasText: 'film.mp4' }).waitFor()
  })
})

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** A film with two megabytes behind it that players pass over. */
async function largeFilm(): Promise<Buffer> {
  const rest = randomBytes(2_000_000)
  rest.writeUInt32BE(rest.length)
  rest.write('free', 4)
  return Buffer.concat([await clip(4), rest])
}

async function upload(page: Page, buffer: Buffer): Promise<void> {
  const file = { name: 'film.mp4', mimeType: 'video/mp4', buffer }
  await page.getByLabel('Choose files').setInputFiles(file)
}

/** So many bytes go out in a second. */
async function slowDown(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  })
}

const percentIn = (text: string): number => Number(/(\d+)% of/.exec(text)?.[1] ?? 0)

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
