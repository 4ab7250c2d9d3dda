import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { objectsOnDisk } from '../support/media.ts'
import { clip } from '../support/video.ts'

interface InPage {
  marquee: Promise<typeof import('../../packages/client/src/index.ts')>
}

/** Large enough that the browser tells more than once how much of it was sent. */
const LARGE_BYTES = 24 * 2 ** 20

describe.skipIf(!hasBrowser)('on a page of another origin, by a script of the service', () => {
  let browser: Browser
  let site: http.Server
  beforeAll(async () => {
    browser = await startBrowser()
    site = http.createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>An app</title>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser.close()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  })

  async function open() {
    const service = await composeForTest()
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const script = `${service.url}/sdk/client/index.js`
    await page.addScriptTag({ type: 'module', content: `globalThis.marquee = import('${script}')` })
    const { url, seed, dataDir } = service
    return { page, dataDir, options: { url, apiKey: seed.api_key } }
  }

  /** A file in the page: some bytes and, behind them, as many more as are wanted. */
  async function give(page: Page, content: Buffer, { name, more = 0 }: { name: string; more?: number }) {
    const base64 = content.toString('base64')
    await page.evaluate(
      ({ base64, name, more }) => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        Object.assign(globalThis, { file: new File([bytes, new Uint8Array(more)], name) })
      },
      { base64, name, more },
    )
  }

  test('a video is uploaded and followed until all of it is made', async () => {
    const { page, options } = await open()
    await give(page, await clip(2), { name: 'film.mp4' })
    const { told, statuses, made } = await page.evaluate(async (options) => {
      const { marquee, file } = globalThis as unknown as InPage & { file: File }
      const { createClient, uploads, follow } = await marquee
      const client = createClient(options)
      const told: number[] = []
      const made = await uploads(client)(file, { onProgress: ({ sent }) => told.push(sent) }).done
      if (made.kind !== 'video') throw new Error(made.kind)
      const statuses: string[] = []
      for await (const { status } of follow(client, made.video.id)) statuses.push(status)
      return { told: { last: told.at(-1), total: file.size }, statuses, made: made.video }
    }, options)
    expect(made.file).toMatchObject({ name: 'film.mp4', status: 'ready' })
    expect(told.last).toBe(told.total)
    expect(statuses.at(-1)).toBe('complete')
  })

  test('paused, nothing is sent; resumed, the file comes whole; cancelled, nothing is left', async () => {
    const { page, options, dataDir } = await open()
    const picture = await scene(64, 40).png().toBuffer()
    await give(page, picture, { name: 'large.png', more: LARGE_BYTES })
    const made = await page.evaluate(async (options) => {
      const { marquee, file } = globalThis as unknown as InPage & { file: File }
      const { createClient, uploads } = await marquee
      const told: number[] = []
      let toldWhilePaused = 0
      const upload = uploads(createClient(options))(file, { onProgress: ({ sent }) => told.push(sent) })
      upload.pause()
      await new Promise((resolve) => setTimeout(resolve, 500))
      toldWhilePaused = told.length
      upload.resume()
      const outcome = await upload.done
      return { outcome, toldWhilePaused, last: told.at(-1), size: file.size }
    }, options)
    expect(made).toMatchObject({
      outcome: { kind: 'image', image: { width: 64, height: 40 } },
      toldWhilePaused: 0,
      last: made.size,
    })

    const before = objectsOnDisk(dataDir).length
    const error = await page.evaluate(async (options) => {
      const { marquee, file } = globalThis as unknown as InPage & { file: File }
      const { createClient, uploads } = await marquee
      const upload = uploads(createClient(options))(file, { onProgress: () => upload.cancel() })
      return upload.done.then(
        () => 'made',
        (error: Error) => error.name,
      )
    }, options)
    expect(error).toBe('AbortError')
    await expect.poll(() => objectsOnDisk(dataDir).length).toBeLessThanOrEqual(before)
  })

  test('refusals and a service that is gone are errors with their reason', async () => {
    const { page, options } = await open()
    const errors = await page.evaluate(async (options) => {
      const { createClient, attempt } = await (globalThis as unknown as InPage).marquee
      const ask = async (url: string) => {
        const call = createClient({ ...options, url, retries: 0 }).get('/images/{imageId}', {
          path: { imageId: 'img_00000000000000000000000000' },
        })
        const { status, error, requestId } = (await attempt(call)).error!
        return { status, error, hasRequestId: requestId !== undefined }
      }
      return [await ask(options.url), await ask('http://127.0.0.1:1')]
    }, options)
    expect(errors).toEqual([
      { status: 404, error: 'Image not found', hasRequestId: true },
      { status: 0, error: 'Network error', hasRequestId: false },
    ])
  })
})
