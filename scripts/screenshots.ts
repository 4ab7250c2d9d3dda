import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { startService } from '../bench/support/service.ts'
import { untilTrue } from '../bench/support/until.ts'
import { createClient, follow } from '../packages/client/src/index.ts'
import { readQuickstart } from '../server/start/quickstart.ts'
import { startBrowser } from '../test/support/browser.ts'

const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'docs/images')
/** A README with a dozen of them still opens at once. */
const MOST_BYTES = 150_000
const THEMES = ['light', 'dark'] as const
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 740 }
/** Until pictures have faded in and charts are drawn. */
const SETTLED_MS = 1500

interface Demo {
  project_id: string
  api_key: string
}

/**
 * The pictures of the console in the README, of a service that has nothing but the demo in it; or with `--data-dir` of the one
 * that runs on that folder, which saves the minutes that the demo takes.
 */
const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } })
const service = await serviceOn(values['data-dir'])
const browser = await startBrowser()
try {
  const demo = await makeDemo(service.dataDir)
  const pages = await pagesOf(demo, service.url)
  for (const theme of THEMES) {
    for (const [name, address] of Object.entries(pages)) await take(browser, name, address, theme, DESK)
    await take(browser, 'library-phone', pages.library!, theme, PHONE)
  }
} finally {
  await browser.close()
  await service.stop()
}

async function serviceOn(given: string | undefined) {
  if (!given) return startService()
  const dataDir = path.resolve(given)
  const quickstart = readQuickstart(dataDir)
  if (!quickstart) throw new Error(`no service was started on ${dataDir}`)
  return { url: quickstart.base_url, dataDir, quickstart, stop: async () => {} }
}

async function makeDemo(dataDir: string): Promise<Demo> {
  const child = spawn(process.execPath, [path.join(root, 'server/cli/main.ts'), 'demo', '--json'], {
    env: { PATH: process.env.PATH, MARQUEE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the demo ended with ${code}`)
  return JSON.parse(out) as Demo
}

/** What is shown, by the name of its picture. */
async function pagesOf({ project_id, api_key }: Demo, url: string): Promise<Record<string, string>> {
  const client = createClient({ url, apiKey: api_key })
  const [{ data: videos }, { data: feeds }] = await Promise.all([client.get('/videos'), client.get('/feeds')])
  // Nothing is being made any more, as it is on most days.
  for (const { id } of videos)
    for await (const { status, percent } of follow(client, id))
      process.stderr.write(`  ${id} ${status} ${Math.floor(percent)}%\r`)
  const video = videos.find(({ file }) => file.name.startsWith('Northern sky'))
  const feed = feeds.find(({ name }) => name === 'Quiet places')
  const base = `${service.quickstart.base_url}/console/${project_id}`
  return {
    library: `${base}/library`,
    video: `${base}/videos/${video?.id}`,
    feed: `${base}/feeds/${feed?.id}`,
    analytics: `${base}/analytics`,
  }
}

async function take(
  browser: Browser,
  name: string,
  address: string,
  colorScheme: (typeof THEMES)[number],
  viewport: typeof DESK,
): Promise<void> {
  const { owner_email, owner_password, base_url } = service.quickstart
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 2 })
  const page = await context.newPage()
  await page.goto(`${base_url}/console/sign-in`)
  await page.getByLabel('Email').fill(owner_email)
  await page.getByLabel('Password').fill(owner_password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.goto(address)
  await settled(page)
  const file = path.join(folder, `console-${name}-${colorScheme}.webp`)
  const bytes = await write(file, await page.screenshot())
  process.stdout.write(`${path.relative(root, file)} ${Math.round(bytes / 1000)} KB\n`)
  await context.close()
}

/** Nothing is loading, and each picture in view is there. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const isThere = `!document.querySelector('[aria-busy=true], [class*=skeleton]') &&
    [...document.images].every((image) => image.complete && image.naturalWidth > 0)`
  await untilTrue(page, isThere, 60_000)
  await page.waitForTimeout(SETTLED_MS)
}

/** As good as it can be for its weight. */
async function write(file: string, png: Buffer): Promise<number> {
  mkdirSync(folder, { recursive: true })
  for (let quality = 86; ; quality -= 8) {
    const image = await sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer()
    if (image.length > MOST_BYTES && quality > 30) continue
    writeFileSync(file, image)
    return image.length
  }
}
