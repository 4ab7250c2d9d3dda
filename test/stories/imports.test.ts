import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createClient, follow } from '../../packages/client/src/index.ts'
import { scene } from '../fixtures/images.ts'
import { fileServer, sendFile } from '../support/file-server.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, objectsOnDisk } from '../support/media.ts'
import { clip } from '../support/video.ts'

const env = {
  MARQUEE_OUTBOUND_NETWORKS: '127.0.0.2/32',
  MARQUEE_IMPORT_SILENCE: '1',
  MARQUEE_IMPORT_TRY: '2',
}

test('a video and an image are fetched from an address, and go on where they were cut off', async () => {
  const { api, url, seed, sql } = await composeForTest({ env })
  const film = await clip(2)
  const photo = await scene(1200, 800).jpeg({ quality: 95 }).toBuffer()
  const half = Math.floor(photo.length / 2)
  let cuts = 0
  const server = await fileServer((request, response) => {
    if (request.url === '/moved')
      return response.writeHead(302, { location: '/films/a%20film.mp4?x=1' }).end()
    if (request.url!.startsWith('/films/'))
      return sendFile(request, response, film, { cutAfter: cuts++ ? undefined : 9000 })
    sendFile(request, response, photo, { cutAfter: request.headers.range ? undefined : half })
  })

  const begun = await api.post('/videos/import', { url: `${server.url}/moved`, file_name: 'A film.mp4' })
  expect(begun).toMatchObject({ status: 202, body: { status: 'uploading' } })
  const { video_id } = begun.body
  const client = createClient({ url, apiKey: seed.api_key })
  const seen = []
  for await (const progress of follow(client, video_id)) seen.push(progress)
  expect(seen[0]!.import).toBeDefined()
  expect(seen.at(-1)).toMatchObject({ status: 'complete', percent: 100 })
  const { body: video } = await api.get(`/videos/${video_id}`)
  expect([video.file.name, video.file.size, video.duration]).toEqual(['A film.mp4', film.length, 2])
  expect((await fetch(local(video.file.url))).status).toBe(200)

  const image = (await api.post('/images/import', { url: `${server.url}/pictures/harbour%20bay.jpg` })).body
  const progressOf = async () => (await api.get(`/images/${image.image_id}/progress`)).body
  await expect.poll(progressOf, { timeout: 15_000 }).toEqual({ image_id: image.image_id, status: 'complete' })
  const { body: made } = await api.get(`/images/${image.image_id}`)
  expect([made.file.name, made.width, made.file.status]).toEqual(['harbour bay.jpg', 1200, 'ready'])

  // The rest only, of the same file.
  for (const [path, at] of [
    ['/films/', 9000],
    ['/pictures/', half],
  ] as const) {
    const [first, second, ...more] = server.asked.filter((one) => one.url.startsWith(path))
    expect([first!.range, second, more], path).toEqual([
      undefined,
      { url: first!.url, range: `bytes=${at}-`, ifRange: '"one"' },
      [],
    ])
  }
  expect(await sql`select from imports`).toHaveLength(0)
  expect(await sql`select from resumable_uploads`).toHaveLength(0)
})

test('a file that has changed is fetched anew, and one whose server cannot go on as well', async () => {
  const { api } = await composeForTest({ env })
  const [old, now] = [await scene(700, 500).jpeg().toBuffer(), await scene(500, 300).jpeg().toBuffer()]
  let asked = 0
  const server = await fileServer((request, response) => {
    const isPlain = request.url === '/plain'
    const isFirst = asked++ % 2 === 0
    if (isPlain) sendFile(request, response, now, { ranges: false, cutAfter: isFirst ? 3000 : undefined })
    else
      sendFile(request, response, isFirst ? old : now, {
        etag: isFirst ? '"old"' : '"now"',
        cutAfter: isFirst ? 3000 : undefined,
      })
  })
  for (const path of ['/changing', '/plain']) {
    const { image_id } = (await api.post('/images/import', { url: server.url + path })).body
    await expect
      .poll(async () => (await api.get(`/images/${image_id}/progress`)).body.status, { timeout: 15_000 })
      .toBe('complete')
    expect((await api.get(`/images/${image_id}`)).body).toMatchObject({ width: 500, height: 300 })
  }
})

test('an import is given up by deleting what it was to become', async () => {
  const { api, dataDir, sql } = await composeForTest({ env })
  let closed = 0
  const server = await fileServer((_request, response) => {
    response.writeHead(200, { 'content-length': 50_000_000 })
    const drip = setInterval(() => response.write(randomBytes(20_000)), 50)
    response.on('close', () => {
      clearInterval(drip)
      closed++
    })
  })
  const { image_id } = (await api.post('/images/import', { url: `${server.url}/a.jpg` })).body
  const { video_id } = (await api.post('/videos/import', { url: `${server.url}/a.mp4` })).body
  const received = async (path: string) => (await api.get(`${path}/progress`)).body.import?.received ?? 0
  for (const path of [`/images/${image_id}`, `/videos/${video_id}`]) {
    await expect.poll(() => received(path), { timeout: 15_000 }).toBeGreaterThan(0)
    expect((await api.get(path)).status).toBe(404)
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.get(`${path}/progress`)).status).toBe(404)
    expect((await api.delete(path)).status).toBe(404)
  }
  await expect.poll(() => closed, { timeout: 10_000 }).toBe(2)
  await expect.poll(() => sql`select from jobs`, { timeout: 10_000 }).toHaveLength(0)
  await expect.poll(() => objectsOnDisk(dataDir), { timeout: 10_000 }).toEqual([])
  expect(await sql`select from files`).toHaveLength(0)
})

test('an import that failed says so, and why, in the list of uploads', async () => {
  const { api } = await composeForTest({ env })
  const server = await fileServer((_, response) => response.writeHead(404).end())
  const { body: film } = await api.post('/videos/import', { url: `${server.url}/gone.mp4` })
  const { body: begun } = await api.post('/images/upload/init', { file_name: 'a.jpg' })
  const listed = async () => (await api.get('/uploads')).body.data
  const failed = { id: film.video_id, status: 'failed', reason: expect.stringContaining('404') }
  await expect
    .poll(listed, { timeout: 15_000 })
    .toMatchObject([{ id: begun.image_id, status: 'uploading' }, failed])
  expect((await listed())[0]).not.toHaveProperty('reason')
  await api.delete(`/videos/${film.video_id}`)
  expect(await listed()).toHaveLength(1)
})
