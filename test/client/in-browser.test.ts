import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { objectsOnDisk } from '../support/media.ts'
import { clip } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

interface InPage {
  marquee: Promise<typeof import('../../packages/client/src/index.ts')>
}

interface PageWithWorkers {
  file: File
  Worker: new (
    url: string,
  ) => {
    onmessage: (event: { data: unknown }) => void
    onerror: (event: { message: string }) => void
    postMessage(message: unknown): void
  }
}

interface PageWithServiceWorkers {
  file: File
  MessageChannel: new () => { port1: { onmessage: (event: { data: unknown }) => void }; port2: unknown }
  navigator: {
    serviceWorker: {
      register(address: string, options: { type: 'module' }): Promise<unknown>
      ready: Promise<{ active: { postMessage(message: unknown, ports: unknown[]): void } }>
    }
  }
}

/** Large enough that the browser tells more than once how much of it was sent. */
const LARGE_BYTES = 24 * 2 ** 20

describe.skipIf(!hasBrowser)('on a page of another origin, by a script of the service', () => {
  let browser: Browser
  let site: http.Server
  let serviceWorker = ''
  beforeAll(async () => {
    browser = await startBrowser()
    site = http.createServer(({ url }, response) => {
      if (url === '/worker.js')
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(serviceWorker)
      else
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
    // Not by a script tag with text in it: its module may run after the tag is there.
    await page.evaluate(`void (globalThis.marquee = import('${service.url}/sdk/client/index.js'))`)
    const { url, seed, dataDir } = service
    return { page, service, dataDir, options: { url, apiKey: seed.api_key } }
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

  test('a store that answers an upload with no content has it', async () => {
    const { page, options } = await open()
    await give(page, await scene(64, 40).png().toBuffer(), { name: 'photo.png' })
    await page.route(
      () => true,
      async (route) => {
        if (route.request().method() !== 'PUT') return route.continue()
        const origin = (await route.fetch()).headers()['access-control-allow-origin']!
        await route.fulfill({ status: 204, headers: { 'access-control-allow-origin': origin } })
      },
    )
    const made = await page.evaluate(async (options) => {
      const { marquee, file } = globalThis as unknown as InPage & { file: File }
      const { createClient, uploads } = await marquee
      return uploads(createClient(options))(file).done
    }, options)
    expect(made).toMatchObject({ kind: 'image', image: { width: 64 } })
  })

  test('a stream is paused while it is sent and goes on as a file does', async () => {
    const { page, options } = await open()
    const picture = await scene(64, 40).png().toBuffer()
    await give(page, picture, { name: 'large.png', more: LARGE_BYTES })
    const made = await page.evaluate(async (options) => {
      const { marquee, file } = globalThis as unknown as InPage & { file: File }
      const { createClient, uploads } = await marquee
      const told: { sent: number; total: number | undefined }[] = []
      const upload = uploads(createClient(options))(file.stream(), {
        name: file.name,
        // A pause is no failure, however short it is.
        retries: 0,
        onProgress: ({ sent, total }) => {
          if (told.push({ sent, total }) > 1) return
          upload.pause()
          upload.resume()
        },
      })
      return { outcome: await upload.done, last: told.at(-1), size: file.size }
    }, options)
    expect(made).toMatchObject({
      outcome: { kind: 'image', image: { width: 64, file: { name: 'large.png' } } },
      last: { sent: made.size, total: made.size },
    })
  })

  test('a stream that is paused while it is read is not sent before it is resumed', async () => {
    const { page, options } = await open()
    await give(page, await scene(64, 40).png().toBuffer(), { name: 'photo.png' })
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
    const isBegun = page.waitForResponse(/\/images\/upload\/init$/)
    await page.evaluate(async (options) => {
      const { marquee, file } = globalThis as unknown as InPage & { file: File }
      const { createClient, uploads } = await marquee
      const client = createClient(options)
      await new Promise<void>((isRead) => {
        const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
          upload.pause()
          controller.enqueue(new Uint8Array(await file.arrayBuffer()))
          controller.close()
          isRead()
        }
        const upload = uploads(client)(new ReadableStream({ pull }, { highWaterMark: 0 }), {
          name: file.name,
        })
        Object.assign(globalThis, { upload, client })
      })
    }, options)
    await isBegun
    // Whatever the page had to send is on its way before what it asks now is answered.
    for (let i = 0; i < 3; i++) await page.evaluate('client.get("/project")')
    expect(sent).toEqual([])
    await page.evaluate('upload.resume()')
    expect(await page.evaluate('upload.done')).toMatchObject({ kind: 'image', image: { width: 64 } })
    expect(sent).toHaveLength(1)
  })

  test('a signal ends an upload that is paused, and the next has its turn', async () => {
    const { page, options } = await open()
    const picture = await scene(64, 40).png().toBuffer()
    await give(page, picture, { name: 'large.png', more: LARGE_BYTES })
    const ended = await page.evaluate(async (options) => {
      const { marquee, file } = globalThis as unknown as InPage & { file: File }
      const { createClient, uploads } = await marquee
      const client = createClient(options)
      const start = uploads(client, { concurrency: 1 })
      const leaving = new AbortController()
      const upload = start(file, {
        signal: leaving.signal,
        onProgress: () => {
          upload.pause()
          // Once the request is cut off and it waits to be resumed.
          setTimeout(() => leaving.abort(new Error('left the page')), 50)
        },
      })
      const reason = await upload.done.catch((error: Error) => error.message)
      const { data: left } = await client.get('/uploads')
      const next = await start(file).done
      return { reason, left, next: next.kind }
    }, options)
    expect(ended).toEqual({ reason: 'left the page', left: [], next: 'image' })
  })

  test('in a worker of the page it calls, refuses and uploads just so', async () => {
    const { page, options } = await open()
    await give(page, await scene(64, 40).png().toBuffer(), { name: 'photo.png' })
    const told = await page.evaluate((options) => {
      const script = `onmessage = async ({ data: { options, file } }) => {
        const { attempt, createClient, uploads } = await import(options.url + '/sdk/client/index.js')
        const client = createClient(options)
        const { error } = await attempt(client.get('/videos/{videoId}', { path: { videoId: 'nothing' } }))
        let sent = 0
        const { image } = await uploads(client)(file, { onProgress: (progress) => { sent = progress.sent } }).done
        postMessage({ status: error.status, name: image.file.name, isAll: sent === file.size })
      }`
      const { Worker, file } = globalThis as unknown as PageWithWorkers
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })))
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = ({ message }) => reject(new Error(message))
        worker.postMessage({ options, file })
      })
    }, options)
    expect(told).toEqual({ status: 400, name: 'photo.png', isAll: true })
  })

  test('in a service worker it uploads files and streams, and pauses and cancels them', async () => {
    const { page, options } = await open()
    const picture = await scene(64, 40).png().toBuffer()
    await give(page, picture, { name: 'large.png', more: LARGE_BYTES })
    // It may not import while it runs.
    serviceWorker = `import { createClient, uploads } from '${options.url}/sdk/client/index.js'
      const send = fetch
      let puts = 0
      let whileItIsPut
      self.fetch = (url, init) => {
        const answer = send(url, init)
        if (init.method === 'PUT') {
          puts++
          whileItIsPut?.()
          whileItIsPut = undefined
        }
        return answer
      }
      async function work({ options, file }) {
        const start = uploads(createClient({ ...options, retries: 0 }))
        const told = []
        const whole = await start(file, { onProgress: ({ sent, total }) => told.push([sent, total]) }).done
        const streamed = await start(file.stream(), { name: file.name }).done
        puts = 0
        const later = start(file)
        whileItIsPut = () => {
          later.pause()
          setTimeout(() => later.resume())
        }
        const resumed = await later.done
        const before = puts
        const given = start(file)
        whileItIsPut = () => given.cancel()
        const cancelled = await given.done.catch(({ name }) => name)
        const made = [whole, streamed, resumed].map(({ image }) => [image.width, image.file.name])
        return { hasRequest: 'XMLHttpRequest' in self, told, made, puts: before, cancelled }
      }
      onmessage = (event) =>
        event.waitUntil(
          work(event.data).then(
            (done) => event.ports[0].postMessage(done),
            (error) => event.ports[0].postMessage(String(error)),
          ),
        )`
    const done = await page.evaluate(async (options) => {
      const { navigator, MessageChannel, file } = globalThis as unknown as PageWithServiceWorkers
      const { serviceWorker } = navigator
      await serviceWorker.register('/worker.js', { type: 'module' })
      const { active } = await serviceWorker.ready
      const { port1, port2 } = new MessageChannel()
      return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data)
        active.postMessage({ options, file }, [port2])
      })
    }, options)
    const size = LARGE_BYTES + picture.length
    expect(done).toEqual({
      hasRequest: false,
      told: [[size, size]],
      made: Array(3).fill([64, 'large.png']),
      // Cut off when it was paused, and sent anew.
      puts: 2,
      cancelled: 'AbortError',
    })
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

  test('a page of another origin may read how long to wait, what is left, which request it was, and the time', async () => {
    const { page, options, service } = await open()
    const { secretKey } = await addTenant(service, 'acme', 'free')
    const told = await page.evaluate(
      async (options) => {
        const { createClient, attempt } = await (globalThis as unknown as InPage).marquee
        const client = createClient({ ...options, retries: 0 })
        for (let i = 0; i < 10; i++) await attempt(client.get('/project'))
        const { status, retryAfter, requestId } = (await attempt(client.get('/project'))).error!
        const { headers } = await fetch(`${options.url}/project`, {
          headers: { 'x-api-key': options.apiKey },
        })
        const names = ['retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id', 'date']
        return { status, retryAfter, requestId, read: names.filter((name) => headers.has(name)) }
      },
      { ...options, apiKey: secretKey },
    )
    expect(told).toMatchObject({
      status: 429,
      requestId: expect.stringMatching(/^req_/),
      read: ['retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id', 'date'],
    })
    expect(told.retryAfter).toBeGreaterThan(0)
  })
})
