import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { narrowProxy } from '../support/narrow-proxy.ts'
import { discard, freshDataDir, root, startService } from '../support/service.ts'

const RUNS = process.env.MARQUEE_TEST_LONG ? 200 : 2
const MB = 1_000_000
const FILE_BYTES = 12 * MB
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

  test(`${RUNS} times the network is cut, the service is killed and the page is closed, and the file is what it was`, {
    timeout: 60_000 + RUNS * 60_000,
  }, async () => {
    const dataDir = freshDataDir()
    onTestFinished(() => discard(dataDir))
    let port = 0
    const proxy = await narrowProxy(() => port)
    const env = { MARQUEE_UPLOAD_URL: `${proxy.url}/upload` }
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
      const begun = (await service.api.post('/images/upload/init', { file_name: 'large.png' })).body
      const url = begun.presigned_url
      const client = CLIENTS[run % 2]!
      const some = () => (process.env.MARQUEE_TEST_LONG ? 0.5 + Math.random() : 1) * 2.5 * MB
      const first = await browser.newPage()
      await begin(first, { file, client, url })
      await proxy.pass(some())
      proxy.cut()
      await proxy.pass(some())
      await service.kill()
      proxy.cut()
      service = await start()
      await proxy.pass(some())
      await first.close()
      const second = await browser.newPage()
      await begin(second, { file, client, url })
      proxy.widen()
      expect(await outcome(second)).toBe('sent')
      await second.close()

      const made = await service.api.post('/images/upload/complete', { image_id: begun.image_id })
      expect(made.body).toMatchObject({ width: 64, file: { status: 'ready' } })
      const { id, project_id } = made.body.file
      const original = readFileSync(path.join(dataDir, 'objects/media', project_id, id, 'original'))
      expect(createHash('sha256').update(original).digest('hex')).toBe(
        createHash('sha256').update(source).digest('hex'),
      )
    }
    await service.stop()
  })
})
