import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { findS3Server, type S3Server } from '../platform/objects-s3-server.ts'
import { hasBrowser, startBrowser, startBrowserToKill } from '../support/browser.ts'
import { narrowProxy } from '../support/narrow-proxy.ts'
import { inS3, onDisk, type Place } from '../support/places.ts'
import { discard, freshDataDir, root, startService, type TestService } from '../support/service.ts'
import { tusAt, whenAvailable } from '../support/tus.ts'

const isLong = Boolean(process.env.MARQUEE_TEST_LONG)
/** Files that are on their way when a service is killed, half of them by each client. */
const AT_ONCE = isLong ? 4 : 2
const KILLS = isLong ? 50 : 1
const MB = 1_000_000
const FILE_BYTES = 16 * MB
const CLIENTS = ['tus', 'uppy'] as const

/** The clients as an app would have them, in one script. */
async function bundle(): Promise<string> {
  const entry = path.join(root, 'test/support/tus-page/page.ts')
  const built = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' })
  const { output } = await built.generate({ format: 'esm', codeSplitting: false })
  await built.close()
  return output[0].code
}

describe.skipIf(!hasBrowser)('tus in a browser', () => {
  let browser: Browser
  let site: http.Server
  beforeAll(async () => {
    const script = await bundle()
    browser = await startBrowser()
    site = http.createServer(({ url }, response) => {
      if (url === '/app.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      const page =
        '<!doctype html><title>An app</title><input type=file><script type=module src=/app.js></script>'
      return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser?.close()
    site?.closeAllConnections()
    site?.close()
  })

  async function begin(page: Page, { file, client, url }: { file: string; client: string; url: string }) {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await page.locator('input').setInputFiles(file)
    await page.waitForFunction(() => 'upload' in globalThis)
    await page.evaluate(
      ({ client, url }) => {
        const { upload } = globalThis as unknown as { upload(client: string, url: string): void }
        upload(client, url)
      },
      { client, url },
    )
  }

  const outcome = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { outcome: Promise<string> }).outcome)

  /** One file on its way: from a browser that is killed in the middle, by a network that is cut, through another browser. */
  async function startJourney(
    place: Place,
    file: string,
    { run, target, doomed }: { run: number; target: Target; doomed: Browser },
  ) {
    const source = Buffer.concat([await scene(64, 40).png().toBuffer(), randomBytes(FILE_BYTES)])
    writeFileSync(file, source)
    const begun = (
      await target.service().api.post('/images/upload/init', { file_name: 'large.png', resumable: true })
    ).body
    const { pathname, search } = new URL(begun.presigned_url)
    const proxy = await narrowProxy(() => Number(new URL(target.service().url).port))
    const opened = { file, client: CLIENTS[run % 2]!, url: proxy.url + pathname + search }
    // What HEAD has told once is there whatever happens; so nobody ever begins anew.
    let told = 0
    const offset = () => tusAt(target.service().url + pathname + search).offset()
    const more = async () => {
      const grown = async () => {
        const now = await offset()
        // A request that was refused, for the end of the one before it was not known yet, has used up what may pass.
        if (now <= told) proxy.allow(MB / 2)
        return now
      }
      await expect.poll(grown, { interval: 500 }).toBeGreaterThan(told)
      told = await offset()
    }
    const some = () => (isLong ? 0.5 + Math.random() : 1) * 2.5 * MB
    await begin(await doomed.newPage(), opened)
    return {
      async goThroughTunnel() {
        await proxy.pass(some())
        proxy.cut()
        await proxy.pass(some())
        await more()
      },
      async goOnAfterKill() {
        proxy.cut()
        expect(await offset()).toBeGreaterThanOrEqual(told)
        await proxy.pass(some())
        await more()
      },
      async arriveFromAnotherBrowser() {
        expect(await offset()).toBeGreaterThanOrEqual(told)
        const second = await browser.newPage()
        await begin(second, opened)
        proxy.widen()
        expect(await outcome(second)).toBe('sent')
        await second.close()
        proxy.close()
        const { api } = target.service()
        const made = await whenAvailable(() =>
          api.post('/images/upload/complete', { image_id: begun.image_id }),
        )
        expect(made.body).toMatchObject({ width: 64, file: { status: 'ready' } })
        const { id, project_id } = made.body.file
        const original = await place.read(`media/${project_id}/${id}/original`)
        expect(sha256(original)).toBe(sha256(source))
        const deleted = await whenAvailable(() => api.delete(`/images/${begun.image_id}`))
        expect(deleted.status).toBe(204)
      },
    }
  }

  // In S3 only where there is time: its own tests cut and go on as well, and such a server takes long to start.
  test.each(isLong ? (['disk', 'S3'] as const) : (['disk'] as const))(
    `on %s, in ${KILLS} rounds the network is cut, the service and the browser are killed, and each file is what it was`,
    { timeout: 60_000 + KILLS * 120_000 },
    async (kind) => {
      const dataDir = freshDataDir()
      onTestFinished(() => discard(dataDir))
      const place = kind === 'S3' ? await inS3(s3Server()) : onDisk(dataDir)
      const start = () => startService({ dataDir, env: place.env })
      let service = await start()
      const target = { service: () => service }
      for (let kill = 0; kill < KILLS; kill++) {
        const { browser: doomed, kill: killBrowser } = await startBrowserToKill()
        onTestFinished(killBrowser)
        const journeys = await Promise.all(
          Array.from({ length: AT_ONCE }, (_, run) =>
            startJourney(place, path.join(dataDir, `large-${run}.png`), { run, target, doomed }),
          ),
        )
        await Promise.all(journeys.map((one) => one.goThroughTunnel()))
        await service.kill()
        service = await start()
        await Promise.all(journeys.map((one) => one.goOnAfterKill()))
        await killBrowser()
        await Promise.all(journeys.map((one) => one.arriveFromAnotherBrowser()))
      }
      await service.stop()
    },
  )
})

/** The service as it runs at the moment. */
interface Target {
  service(): TestService
}

const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex')

function s3Server(): S3Server {
  const server = findS3Server()
  if ('missing' in server) throw new Error(server.missing)
  onTestFinished(() => server.stop())
  return server
}
