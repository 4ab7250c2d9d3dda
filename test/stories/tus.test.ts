import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { key } from '../support/api.ts'
import { checkHls } from '../support/hls/check.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { local, objectsOnDisk, uploaderOf } from '../support/media.ts'
import { sha1, tusAt } from '../support/tus.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

const photo = () => scene(640, 400).jpeg().toBuffer()
const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex')

/** For programs that read a file. */
function fileOf(content: Buffer): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-sent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'sent.mp4')
  writeFileSync(file, content)
  return file
}

const originalOf = ({ media, seed }: InProcess, fileId: string) =>
  media.read(`media/${seed.project_id}/${fileId}/original`)
const incomingOf = async ({ media }: InProcess) =>
  (await media.names()).filter((name) => name.includes('incoming'))

test('a picture is sent in three requests, one of them cut off, and is what it was', async () => {
  const service = await composeForTest()
  const { init, complete } = uploaderOf(service.api)
  const { body: begun } = await init()
  const source = await photo()
  const tus = tusAt(begun.presigned_url)

  const can = await fetch(tus.url, { method: 'OPTIONS' })
  expect(can.status).toBe(204)
  expect(can.headers.get('tus-version')).toBe('1.0.0')
  expect(can.headers.get('tus-extension')).toBe('creation,checksum,expiration,termination')
  expect(can.headers.get('tus-max-size')).toBe(String(100 * 2 ** 20))

  const created = await tus.create(source.length)
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe(begun.presigned_url)
  const expires = Date.parse(created.headers.get('upload-expires')!) / 1000
  expect(expires).toBe(begun.upload_expires)
  const before = await tus.ask('HEAD')
  expect(before.headers.get('upload-length')).toBe(String(source.length))
  expect(before.headers.get('cache-control')).toBe('no-store')

  const first = await tus.send(0, source.subarray(0, 1000))
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '1000'])
  const cut = tus.open(1000, source.length - 1000)
  cut.write(source.subarray(1000, 5000))
  await expect.poll(tus.offset).toBe(5000)
  cut.resetAndDestroy()

  const early = await complete(begun.image_id)
  expect(early.body).toMatchObject({
    code: 404,
    details: `only 5000 of ${source.length} bytes have arrived yet`,
  })
  await expect.poll(async () => (await tus.send(5000, source.subarray(5000))).status).toBe(204)
  const whole = await fetch(tus.url, { method: 'HEAD' })
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(source.length)])

  const made = await complete(begun.image_id)
  expect(made.body).toMatchObject({ width: 640, height: 400, file: { status: 'ready' } })
  expect(sha256(await originalOf(service, made.body.file.id))).toBe(sha256(source))
  expect(await incomingOf(service)).toEqual([])
  expect((await tus.ask('HEAD')).status).toBe(409)
})

test('a film that came by tus in pieces is the film that was sent, and plays', async () => {
  const service = await composeForTest()
  const { init, complete } = videoUploaderOf(service.api)
  const film = await clip(3)
  // Whose size is named goes straight to S3, where there is one.
  const { body: begun } = await init()
  const tus = tusAt(begun.video_presigned_url)
  const third = Math.floor(film.length / 3)
  expect((await tus.send(0, film.subarray(0, third))).status).toBe(204)
  const cut = tus.open(third, film.length - third)
  cut.write(film.subarray(third, third + 500))
  await expect.poll(tus.offset).toBe(third + 500)
  cut.resetAndDestroy()
  expect((await complete(begun.video_id)).status).toBe(404)
  await expect
    .poll(async () => (await tus.send(third + 500, film.subarray(third + 500, 2 * third))).status)
    .toBe(204)
  expect((await tus.send(2 * third, film.subarray(2 * third))).status).toBe(204)

  const { body: video } = await complete(begun.video_id)
  expect(video).toMatchObject({ duration: 3, file: { status: 'ready', size: film.length } })
  expect(sha256(await originalOf(service, video.file.id))).toBe(sha256(film))
  expect(await checkHls(local(video.file.url), { source: fileOf(film) })).toEqual([])
  expect(await incomingOf(service)).toEqual([])
  expect(await service.sql`select from resumable_uploads`).toHaveLength(0)
})

test('what is not completed in time is gone for whoever sends, and the service sweeps what had come of it', async () => {
  const { api, dataDir, sql } = await composeForTest({
    env: { MARQUEE_UPLOAD_LIFETIME: '10', MARQUEE_SWEEP_INTERVAL: '1' },
  })
  const image = tusAt((await uploaderOf(api).init()).body.presigned_url)
  const { body: film } = await videoUploaderOf(api).init({ file_size: 9000 })
  const addresses = [image, tusAt(film.video_presigned_url)]
  for (const tus of addresses) expect((await tus.send(0, Buffer.alloc(4000, 'x'))).status).toBe(204)
  expect(objectsOnDisk(dataDir).filter((file) => file.includes('incoming-pieces'))).toHaveLength(2)

  await expect.poll(() => objectsOnDisk(dataDir), { timeout: 40_000 }).toEqual([])
  expect(await sql`select from resumable_uploads`).toHaveLength(0)
  for (const tus of addresses) {
    expect((await tus.ask('HEAD')).status).toBe(410)
    expect((await tus.send(4000, Buffer.alloc(10))).status).toBe(410)
    expect((await tus.create(10)).status).toBe(410)
    expect((await tus.ask('DELETE')).status).toBe(410)
  }
  expect((await videoUploaderOf(api).complete(film.video_id)).status).toBe(404)
})

test('an address takes a file without having been asked to begin one, and one PUT replaces all of it', async () => {
  const service = await composeForTest()
  const { init, complete, put } = uploaderOf(service.api)
  const { body: begun } = await init()
  const source = await photo()
  const tus = tusAt(begun.presigned_url)
  // Clients that are given the address as the upload's own want a number here: it is the most that is taken.
  const untouched = await tus.ask('HEAD')
  expect(untouched.status).toBe(200)
  expect(untouched.headers.get('upload-offset')).toBe('0')
  expect(untouched.headers.get('upload-length')).toBe(String(100 * 2 ** 20))
  expect((await tus.send(0, Buffer.from('another file'))).status).toBe(204)
  expect((await put(begun.presigned_url, new Uint8Array(source))).status).toBe(200)
  expect(await tus.offset()).toBe(0)
  expect((await complete(begun.image_id)).status).toBe(200)

  const { body: second } = await init()
  const other = tusAt(second.presigned_url)
  expect((await put(second.presigned_url, 'not a picture')).status).toBe(200)
  expect((await other.send(0, source)).status).toBe(204)
  const made = await complete(second.image_id)
  expect(sha256(await originalOf(service, made.body.file.id))).toBe(sha256(source))
})

test('of two writers one wins, and a silent one loses its place', async () => {
  const { api } = await composeForTest()
  const { body: begun } = await uploaderOf(api).init()
  const tus = tusAt(begun.presigned_url)
  const body = Buffer.alloc(3_000_000, 'x')
  const answers = await Promise.all(Array.from({ length: 5 }, () => tus.send(0, body)))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses[0]).toBe(204)
  for (const status of statuses.slice(1)) expect([409, 423]).toContain(status)
  expect(await tus.offset()).toBe(body.length)
  const wrong = await tus.send(5, body)
  expect([wrong.status, wrong.headers.get('upload-offset')]).toEqual([409, String(body.length)])

  const silent = tus.open(body.length, 1_000_000)
  silent.write('half')
  await expect.poll(tus.offset).toBe(body.length + 4)
  expect((await tus.create(10)).status).toBe(423)
  await expect
    .poll(async () => (await tus.send(body.length + 4, Buffer.from('rest'))).status, { interval: 200 })
    .toBe(204)
  expect(await tus.offset()).toBe(body.length + 8)
  // A proxy before the service waits for the rest by itself.
  if (!silent.destroyed && !inject('engines')) await once(silent, 'close')
})

test('checksums decide, limits hold, and what tus does not allow is refused by its statuses', async () => {
  const { api } = await composeForTest()
  const { init } = uploaderOf(api)
  const { body: begun } = await init()
  const tus = tusAt(begun.presigned_url)
  const body = Buffer.from('some bytes')
  expect((await tus.create(100 * 2 ** 20 + 1)).status).toBe(413)
  expect((await tus.ask('POST')).status).toBe(400)
  expect((await tus.create(15)).status).toBe(201)
  const wrong = await tus.send(0, body, { 'upload-checksum': `sha1 ${sha1(Buffer.from('others'))}` })
  expect(wrong.status).toBe(460)
  expect((await tus.send(0, body, { 'upload-checksum': 'crc32 abc=' })).status).toBe(400)
  expect(await tus.offset()).toBe(0)
  expect((await tus.send(0, body, { 'upload-checksum': `sha1 ${sha1(body)}` })).status).toBe(204)
  expect((await tus.send(10, body)).status).toBe(413)
  expect((await tus.send(10, body, { 'content-type': 'image/jpeg' })).status).toBe(415)
  expect((await tus.send(10, body, { 'upload-length': '20' })).status).toBe(400)
  const newer = await fetch(tus.url, { method: 'HEAD', headers: { 'tus-resumable': '2.0.0' } })
  expect([newer.status, newer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
  const changed = tusAt(begun.presigned_url.replace('kind=image', 'kind=video'))
  for (const answer of [await changed.create(5), await changed.send(0, body), await changed.ask('DELETE')])
    expect(answer.status).toBe(403)
  const overridden = await tus.ask(
    'POST',
    {
      'x-http-method-override': 'PATCH',
      'upload-offset': '10',
      'content-type': 'application/offset+octet-stream',
    },
    Buffer.from('12345'),
  )
  expect(overridden.status).toBe(204)

  expect((await tus.ask('DELETE')).status).toBe(204)
  expect((await tus.ask('HEAD')).status).toBe(410)
  expect((await tus.send(0, body)).status).toBe(410)
  expect((await tus.create(10)).status).toBe(201)
  expect((await tus.send(0, body)).status).toBe(204)
})

test('pages of other origins may speak it', async () => {
  const { api } = await composeForTest()
  const tus = tusAt((await uploaderOf(api).init()).body.presigned_url)
  const preflight = await fetch(tus.url, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'tus-resumable,upload-offset',
    },
  })
  expect(preflight.headers.get('access-control-allow-methods')).toMatch('PATCH')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('tus-resumable,upload-offset')
  const answer = await tus.ask('HEAD', { origin: 'https://app.example' })
  const shown = answer.headers.get('access-control-expose-headers')
  for (const name of ['Upload-Offset', 'Upload-Length', 'Upload-Expires', 'Location', 'Tus-Resumable'])
    expect(shown).toContain(name)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})

test('what is under way is listed with its progress, for its own project, and cancelled by deleting it', async () => {
  const service = await composeForTest()
  const { api, dataDir } = service
  const others = api.as(key((await addTenant(service, 'theirs')).secretKey))
  const begun = (await uploaderOf(api).init('a.jpg')).body
  const film = (await api.post('/videos/upload/init', { file_name: 'b.mp4', file_size: 1000 })).body
  expect((await tusAt(film.video_presigned_url).ask('HEAD')).headers.get('upload-length')).toBe('1000')
  expect((await tusAt(film.video_presigned_url).send(0, Buffer.alloc(400))).status).toBe(204)
  expect((await tusAt(film.poster_presigned_url).send(0, Buffer.alloc(40))).status).toBe(204)
  expect((await uploaderOf(api).put(film.video_presigned_url, 'x'.repeat(1001))).status).toBe(413)
  const listed = await api.get('/uploads')
  expect(listed.body.pagination.total).toBe(2)
  expect(listed.body.data).toEqual([
    {
      id: film.video_id,
      kind: 'video',
      name: 'b.mp4',
      status: 'uploading',
      received: 400,
      size: 1000,
      created_at: expect.any(String),
      upload_expires: film.upload_expires,
    },
    expect.objectContaining({ id: begun.image_id, kind: 'image', received: 0 }),
  ])
  expect((await api.get('/uploads?kind=image&limit=1')).body.data).toHaveLength(1)
  expect((await others.get('/uploads')).body.data).toEqual([])

  expect((await others.delete(`/videos/${film.video_id}`)).status).toBe(404)
  expect((await api.delete(`/videos/${film.video_id}`)).status).toBe(204)
  expect((await api.delete(`/videos/${film.video_id}`)).status).toBe(404)
  for (const url of [film.video_presigned_url, film.poster_presigned_url])
    expect((await tusAt(url).ask('HEAD')).status).toBe(410)
  expect((await api.delete(`/images/${begun.image_id}`)).status).toBe(204)
  expect((await uploaderOf(api).put(begun.presigned_url, 'late')).status).toBe(403)
  expect((await api.get('/uploads')).body.data).toEqual([])
  expect(objectsOnDisk(dataDir)).toEqual([])
})
