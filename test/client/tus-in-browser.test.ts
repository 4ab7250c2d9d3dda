import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openS3Store } from '../../server/platform/objects/s3.ts'
import { scene } from '../fixtures/images.ts'
import { findS3Server } from '../platform/objects-s3-server.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { narrowProxy } from '../support/narrow-proxy.ts'
import { discard, freshDataDir, root, startService } from '../support/service.ts'
import { tusAt } from '../support/tus.ts'

const isLong = Boolean(process.env.MARQUEE_TEST_LONG)
const RUNS = isLong ? 200 : 2
const MB = 1_000_000
const FILE_BYTES = 12 * MB
const CLIENTS = ['tus', 'uppy'] as const

/** Where a service keeps what it is sent, and how a test reads it there. */
interface Place {
  env: Record<string, string>
  read(key: string): Promise<Buffer>
}

const onDisk = (dataDir: string): Place => ({
  env: {},
  read: async (key) => readFileSync(path.join(dataDir, 'objects', key)),
})

async function inS3(): Promise<Place> {
  const server = findS3Server()
  if ('missing' in server) throw new Error(server.missing)
  const bucket = `marquee-${randomBytes(6).toString('hex')}`
  const { endpoint, region, credentials } = server
  const store = await openS3Store({ ...server, bucket, forcePathStyle: true, createBucket: true })
  onTestFinished(async () => {
    await store.close()
    server.stop()
  })
  return {
    env: {
      MARQUEE_S3_BUCKET: bucket,
      MARQUEE_S3_ENDPOINT: endpoint,
      MARQUEE_S3_REGION: region,
      MARQUEE_S3_ACCESS_KEY: credentials.accessKeyId,
      MARQUEE_S3_SECRET_KEY: credentials.secretAccessKey,
      MARQUEE_S3_PATH_STYLE: 'true',
    },
    read: async (key) => buffer((await store.get(key))!.stream),
  }
}

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

  // In S3 only where there is time: its own tests cut and go on as well.
  const places = isLong ? (['disk', 'S3'] as const) : (['disk'] as const)
  test.each(places)(
    `on %s, ${RUNS} times the network is cut, the service is killed and the page is closed, and the file is what it was`,
    {
      timeout: 60_000 + RUNS * 60_000,
    },
    async (kind) => {
      const dataDir = freshDataDir()
      onTestFinished(() => discard(dataDir))
      let port = 0
      const proxy = await narrowProxy(() => port)
      const place = kind === 'S3' ? await inS3() : onDisk(dataDir)
      const env = { ...place.env, MARQUEE_UPLOAD_URL: `${proxy.url}/upload` }
      const start = async () => {
        const started = await startService({ dataDir, env })
        port = Number(new URL(started.url).port)
        return started
      }
      let service = await start()
      const picture = await scene(64, 40).png().toBuffer()
      const file = path.join(dataDir, 'large.png')

      for (let run = 0; run < RUNS; run++) {
        const source = Buffer.concat([picture, randomBytes(FILE_BYTES)])
        writeFileSync(file, source)
        const begun = (
          await service.api.post('/images/upload/init', { file_name: 'large.png', resumable: true })
        ).body
        const url = begun.presigned_url
        const client = CLIENTS[run % 2]!
        // What HEAD has told once is there whatever happens; so nobody ever begins anew.
        let told = 0
        const offset = () => tusAt(url.replace(proxy.url, service.url)).offset()
        const more = async () => {
          await expect.poll(offset).toBeGreaterThan(told)
          told = await offset()
        }
        const some = () => (isLong ? 0.5 + Math.random() : 1) * 2.5 * MB
        const first = await browser.newPage()
        await begin(first, { file, client, url })
        await proxy.pass(some())
        proxy.cut()
        await proxy.pass(some())
        await more()
        await service.kill()
        proxy.cut()
        service = await start()
        expect(await offset()).toBeGreaterThanOrEqual(told)
        await proxy.pass(some())
        await more()
        await first.close()
        expect(await offset()).toBeGreaterThanOrEqual(told)
        const second = await browser.newPage()
        await begin(second, { file, client, url })
        proxy.widen()
        expect(await outcome(second)).toBe('sent')
        await second.close()

        const made = await service.api.post('/images/upload/complete', { image_id: begun.image_id })
        expect(made.body).toMatchObject({ width: 64, file: { status: 'ready' } })
        const { id, project_id } = made.body.file
        const original = await place.read(`media/${project_id}/${id}/original`)
        expect(createHash('sha256').update(original).digest('hex')).toBe(
          createHash('sha256').update(source).digest('hex'),
        )
      }
      await service.stop()
    },
  )
})
