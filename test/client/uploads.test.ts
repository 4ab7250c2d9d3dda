import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, type UploadProgress, uploads } from '../../packages/client/src/index.ts'
import { uploads as fileUploads } from '../../packages/client/src/node.ts'
import { scene } from '../fixtures/images.ts'
import { cuttingProxy } from '../support/cutting-proxy.ts'
import { composeForTest } from '../support/in-process.ts'
import { largePicture } from '../support/large-picture.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip } from '../support/video.ts'

const MIB = 2 ** 20

/** A stream that gives its parts one by one, when the test lets it. */
function heldStream(content: Uint8Array, parts: number) {
  const size = Math.ceil(content.length / parts)
  let given = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (given === parts) return controller.close()
        controller.enqueue(content.subarray(given * size, ++given * size))
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, given: () => given }
}

test('a video and its poster: one call does it all, and tells how far it is', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const film = new Blob([new Uint8Array(await clip(2))], { type: 'video/mp4' })
  const poster = new Blob([new Uint8Array(await scene(80, 60).jpeg().toBuffer())], { type: 'image/jpeg' })
  const told: UploadProgress[] = []
  const upload = uploads(client)(film, {
    name: 'film.mp4',
    poster,
    onProgress: (progress) => told.push(progress),
  })
  const made = await upload.done
  if (made.kind !== 'video') throw new Error(`made ${made.kind}`)
  expect(made.video).toMatchObject({
    file: { name: 'film.mp4', status: 'ready' },
    poster: { width: 80, height: 60 },
  })
  const total = film.size + poster.size
  expect(told.at(-1)).toMatchObject({ sent: total, total, secondsLeft: 0 })
  expect(told.at(-1)!.speed).toBeGreaterThan(0)
  expect(told.map(({ sent }) => sent)).toEqual(told.map(({ sent }) => sent).toSorted((a, b) => a - b))
})

test('an image, and a post in a feed', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const start = uploads(client)
  const picture = new File([new Uint8Array(await smallJpeg())], 'photo.JPG')
  const told: UploadProgress[] = []
  // A poster is a video's: one that is given all the same is neither sent nor waited for.
  const options = { poster: picture, onProgress: (progress: UploadProgress) => told.push(progress) }
  expect(await start(picture, options).done).toMatchObject({
    kind: 'image',
    image: { file: { name: 'photo.JPG', status: 'ready' } },
  })
  expect(told.at(-1)).toMatchObject({ sent: picture.size, total: picture.size })
  const { id: feedId } = await client.post('/feeds', { body: { name: 'news' } })
  const post = await start(picture, { feedId, description: 'the harbour', creatorId: 'ada' }).done
  expect(post).toMatchObject({
    kind: 'post',
    post: { type: 'image', description: 'the harbour', creator_id: 'ada', image: { width: 64 } },
  })
  const page = await client.get('/feeds/{feedId}', { path: { feedId } })
  expect(page.data.map(({ description }) => description)).toEqual(['the harbour'])
})

test('a stream of unknown length, and a file by its path whatever it is called', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const picture = new Uint8Array(await smallJpeg())
  const told: UploadProgress[] = []
  const { stream } = heldStream(picture, 3)
  const onProgress = (progress: UploadProgress) => told.push(progress)
  const streamed = await uploads(client)(stream, { kind: 'image', name: 'a.jpg', onProgress }).done
  expect(streamed).toMatchObject({ kind: 'image', image: { width: 64, height: 40 } })
  expect(told.at(-1)).toMatchObject({ sent: picture.length, total: undefined, secondsLeft: undefined })

  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'no ending'), picture)
  const byPath = await fileUploads(client)(path.join(folder, 'no ending')).done
  expect(byPath).toMatchObject({ kind: 'image', image: { width: 64, file: { name: 'no ending' } } })
  const missing = fileUploads(client)(path.join(folder, 'nothing')).done
  await expect(missing).rejects.toMatchObject({ code: 'ENOENT' })
})

test('what the service cannot decode is its refusal', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const nonsense = new File(['nothing that plays'], 'film.mp4')
  await expect(uploads(client)(nonsense).done).rejects.toMatchObject({
    name: 'MarqueeError',
    status: 400,
    details: expect.stringContaining('MP4'),
  })
})

test('so many at once, and the next when one is done', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const start = uploads(client, { concurrency: 2 })
  const picture = new Uint8Array(await smallJpeg())
  const options = { kind: 'image', name: 'a.jpg' } as const
  const three = [1, 2, 3].map(() => heldStream(picture, 1))
  const begun = three.map(({ stream }) => start(stream, options))
  begun[0]!.pause()
  begun[1]!.pause()
  // The third has to wait for those that are paused.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(three.map(({ given }) => given())).toEqual([0, 0, 0])
  begun[1]!.resume()
  await begun[2]!.done
  expect(three.map(({ given }) => given())).toEqual([0, 1, 1])
  begun[0]!.resume()
  expect((await begun[0]!.done).kind).toBe('image')
})

test('one that waits for its turn is given up at once, and takes nobody’s', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const start = uploads(client, { concurrency: 1 })
  const picture = new File([new Uint8Array(await smallJpeg())], 'a.jpg')
  const first = start(picture)
  first.pause()
  const leaving = new AbortController()
  const [cancelled, left, last] = [start(picture), start(picture, { signal: leaving.signal }), start(picture)]
  cancelled.cancel()
  await expect(cancelled.done).rejects.toMatchObject({ name: 'AbortError' })
  leaving.abort(new Error('left the page'))
  await expect(left.done).rejects.toThrow('left the page')
  const gone = start(picture, { signal: leaving.signal })
  await expect(gone.done).rejects.toThrow('left the page')
  first.resume()
  expect((await first.done).kind).toBe('image')
  expect((await last.done).kind).toBe('image')
  expect((await client.get('/images')).data).toHaveLength(2)
})

test('a signal ends one that is paused before anything was sent, and the next has its turn', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  let begun = () => {}
  const telling = createClient({
    ...client.options,
    async fetch(address, init) {
      const answer = await fetch(address, init)
      if (String(address).endsWith('/init')) begun()
      return answer
    },
  })
  const start = uploads(telling, { concurrency: 1 })
  const picture = new File([new Uint8Array(await smallJpeg())], 'a.jpg')
  const leaving = new AbortController()
  const upload = start(picture, { signal: leaving.signal })
  const isBegun = new Promise<void>((resolve) => {
    begun = () => {
      upload.pause()
      resolve()
    }
  })
  await isBegun
  await expect.poll(async () => (await client.get('/uploads')).data).toHaveLength(1)
  leaving.abort(new Error('left the page'))
  await expect(upload.done).rejects.toThrow('left the page')
  expect((await client.get('/uploads')).data).toEqual([])
  expect((await start(picture).done).kind).toBe('image')
})

test('while it is paused nothing is sent, and then it goes on where it was', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const { stream, given } = heldStream(new Uint8Array(await smallJpeg()), 4)
  const upload = uploads(client)(stream, {
    kind: 'image',
    name: 'a.jpg',
    onProgress: () => {
      if (given() === 2) upload.pause()
    },
  })
  await expect.poll(given).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(given()).toBe(2)
  upload.resume()
  expect((await upload.done).kind).toBe('image')
})

test('a file that was paused for longer than the service waits is sent again', async () => {
  const { url, seed } = await composeForTest({ env: { MARQUEE_REQUEST_TIMEOUT: '1' } })
  const client = createClient({ url, apiKey: seed.api_key })
  const file = await largePicture()
  const told: number[] = []
  let hasPaused = false
  const upload = uploads(client)(file, {
    onProgress({ sent }) {
      told.push(sent)
      if (!hasPaused && sent > MIB) upload.pause()
      hasPaused ||= sent > MIB
    },
  })
  await expect.poll(() => hasPaused).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 4000))
  upload.resume()
  expect((await upload.done).kind).toBe('image')
  expect(told.some((sent, i) => sent < told[i - 1]!)).toBe(true)
})

test('a file whose upload was cut off is sent again', async () => {
  const { url, seed } = await composeForTest()
  const proxy = await cuttingProxy(url, { afterSent: MIB })
  const client = createClient({ url: proxy.url, apiKey: seed.api_key, fetch: throughProxy(url, proxy.url) })
  expect((await uploads(client)(await largePicture()).done).kind).toBe('image')
  expect(proxy.cuts).toHaveLength(1)
})

/** Addresses to upload to are the service's own: here they lead through the proxy too. */
function throughProxy(service: string, proxy: string): typeof fetch {
  const { port } = new URL(service)
  return async (address, init) => {
    const answer = await fetch(address, init)
    const text = (await answer.text()).replaceAll(`http://localhost:${port}`, proxy)
    return new Response(text, answer)
  }
}
