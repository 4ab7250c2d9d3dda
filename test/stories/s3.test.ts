import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCorsCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { similarity } from '../media/similarity.ts'
import { deny, findS3Server, newBucket, s3Settings } from '../platform/objects-s3-server.ts'
import { key } from '../support/api.ts'
import { collector } from '../support/collector.ts'
import { examined } from '../support/doctor.ts'
import { local, uploaderOf } from '../support/media.ts'
import { clientOf, serviceOnS3, storeOf } from '../support/s3-service.ts'
import { says } from '../support/scripted-server.ts'
import { sha1, tusAt } from '../support/tus.ts'
import { startTwoServices } from '../support/two-services.ts'

const server = findS3Server()

describe.skipIf('missing' in server)('media in S3', () => {
  if ('missing' in server) return
  afterAll(() => server.stop())

  const { endpoint } = server

  test('the same story: S3’s own address, complete, serve, delete', async () => {
    const collects = await collector(says(200))
    const { service, objects } = await serviceOnS3(server, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collects.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
    })
    const { api } = service
    expect((await api.get('/readyz')).body.engines).toEqual({ postgres: 'ok', objects: 'ok', events: 'ok' })
    const source = await scene(640, 400).jpeg().toBuffer()
    const { init, put, complete } = uploaderOf(api)
    const { body } = await init('photo.jpg', { file_size: source.length })
    expect(body.presigned_url.startsWith(endpoint)).toBe(true)
    expect((await complete(body.image_id)).body.error).toBe('File not found')
    expect((await put(body.presigned_url, new Uint8Array(source))).status).toBe(200)
    const made = await complete(body.image_id)
    expect(made.body).toMatchObject({ width: 640, height: 400, file: { status: 'ready', format: 'avif' } })

    const url = local(made.body.file.url)
    while ((await service.sql`select from jobs`).length > 0) await sleep(50)
    const served = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(await similarity(served, source)).toBeGreaterThan(0.9)
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } })
    expect(Buffer.from(await part.arrayBuffer()).equals(served.subarray(10, 20))).toBe(true)
    expect((await fetch(`${url}?w=100&format=webp`)).headers.get('content-type')).toBe('image/webp')

    // The old address still takes bytes, being S3's own; they change nothing, and go.
    const other = new Uint8Array(source.length)
    expect((await put(body.presigned_url, other)).status).toBe(200)
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(served)).toBe(true)
    while ((await objects()).some(({ key }) => key.startsWith('incoming/'))) await sleep(100)
    const stored = (await objects()).reduce((sum, { size }) => sum + size, 0)
    expect((await api.get('/project')).body.storage_used).toBe(stored)

    const puts = () => collects.spans().filter(({ name }) => name === 'PutObjectCommand')
    await expect.poll(puts).not.toEqual([])
    expect(puts()[0]).toMatchObject({ kind: 3, attributes: { 'rpc.service': 'S3' } })

    expect((await api.delete(`/images/${made.body.id}`)).status).toBe(204)
    expect((await fetch(url)).status).toBe(404)
    expect(await objects()).toEqual([])
    expect((await api.get('/project')).body.storage_used).toBe(0)
  })

  test('a file comes by tus, with interruptions; cancelled, nothing of it is left', async () => {
    const { service, objects, read } = await serviceOnS3(server)
    const { api, seed } = service
    const source = Buffer.concat([await scene(64, 40).png().toBuffer(), randomBytes(12 * 2 ** 20)])
    const begin = async () =>
      (await uploaderOf(api).init('large.png', { file_size: source.length, resumable: true })).body
    const begun = await begin()
    expect(begun.presigned_url.startsWith(endpoint)).toBe(false)
    const tus = tusAt(begun.presigned_url)
    expect((await tus.create(source.length)).status).toBe(201)
    expect((await tus.send(0, source.subarray(0, 1000))).status).toBe(204)
    const cut = tus.open(1000, source.length - 1000)
    cut.write(source.subarray(1000, 9_500_000))
    await expect.poll(tus.offset).toBe(9_500_000)
    cut.resetAndDestroy()
    const checksum = { 'upload-checksum': `sha1 ${sha1(source.subarray(9_500_000))}` }
    await expect
      .poll(async () => (await tus.send(9_500_000, source.subarray(9_500_000), checksum)).status)
      .toBe(204)
    const listed = (await api.get('/uploads')).body.data
    expect(listed).toMatchObject([
      {
        id: begun.image_id,
        kind: 'image',
        received: source.length,
        size: source.length,
        status: 'uploading',
      },
    ])
    const made = (await api.post('/images/upload/complete', { image_id: begun.image_id })).body
    expect(made).toMatchObject({ width: 64, file: { status: 'ready' } })
    const original = await read(`media/${seed.project_id}/${made.file.id}/original`)
    expect(original.equals(source)).toBe(true)
    expect((await objects()).filter(({ key }) => key.startsWith('incoming'))).toEqual([])

    const other = await begin()
    expect((await tusAt(other.presigned_url).send(0, source)).status).toBe(204)
    expect((await objects()).filter(({ key }) => key.startsWith('incoming')).length).toBeGreaterThan(1)
    expect((await api.delete(`/images/${other.image_id}`)).status).toBe(204)
    expect((await objects()).filter(({ key }) => key.startsWith('incoming'))).toEqual([])
    expect((await tusAt(other.presigned_url).ask('HEAD')).status).toBe(410)
  })

  test('an address of S3 takes no other length than was named, and pages may put to it; without one the service counts', async () => {
    const { service, store } = await serviceOnS3(server)
    const { api } = service
    const refused = await api.post('/images/upload/init', { file_name: 'a.png', file_size: 101 * 2 ** 20 })
    expect(refused.status).toBe(413)
    const { body } = await api.post('/images/upload/init', { file_name: 'a.png', file_size: 5 })
    const { put } = uploaderOf(api)
    for (const wrong of ['1234', '123456']) expect((await put(body.presigned_url, wrong)).status).toBe(403)
    expect((await put(body.presigned_url, '12345', { 'content-type': 'image/png' })).status).toBe(200)
    const preflight = await fetch(body.presigned_url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(preflight.status).toBe(200)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')

    const unnamed = (await uploaderOf(api).init()).body
    expect(unnamed.presigned_url.startsWith(endpoint)).toBe(false)
    const film = (await api.post('/videos/upload/init', { file_name: 'a.mp4', file_size: 9 })).body
    expect(film.video_presigned_url.startsWith(endpoint)).toBe(true)
    expect(film.poster_presigned_url.startsWith(endpoint)).toBe(false)
    const most = 100 * 2 ** 20
    for (const url of [unnamed.presigned_url, film.poster_presigned_url])
      expect(await announce(local(url), most + 1)).toMatch('HTTP/1.1 413')
    expect(await store.head(`incoming/${new URL(unnamed.presigned_url).pathname.split('/').at(-1)}`)).toBe(
      undefined,
    )

    // Should one that is too large be there in spite of all, `complete` is the end of it.
    await store.put('block', Buffer.alloc(5 * 2 ** 20))
    const pieces = Array.from({ length: 21 }, () => ({ key: 'block', size: 5 * 2 ** 20 }))
    const key = new URL(body.presigned_url).pathname.split('/').slice(2).join('/')
    await store.compose({ size: 105 * 2 ** 20, pieces }, key)
    expect((await uploaderOf(api).complete(body.image_id)).status).toBe(413)
    expect(await store.head(key)).toBe(undefined)
  })

  test('told so, all uploads pass through the service; what is abandoned in the middle is swept', async () => {
    const { service, bucket, objects, read } = await serviceOnS3(server, {
      MARQUEE_S3_DIRECT_UPLOADS: 'false',
      MARQUEE_BROKEN_UPLOADS_KEEP: '1',
    })
    const { api, seed, sql } = service
    const { init, put, complete } = uploaderOf(api)
    const source = Buffer.concat([await scene(64, 40).png().toBuffer(), randomBytes(9 * 2 ** 20)])
    const begin = async () => (await init('a.png', { file_size: source.length })).body
    const [first, second, third] = [await begin(), await begin(), await begin()]
    for (const { presigned_url } of [first, second]) expect(presigned_url.startsWith(endpoint)).toBe(false)
    expect((await put(first.presigned_url, new Uint8Array(source))).status).toBe(200)
    expect((await tusAt(second.presigned_url).send(0, source.subarray(0, 6_000_000))).status).toBe(204)
    expect((await tusAt(second.presigned_url).send(6_000_000, source.subarray(6_000_000))).status).toBe(204)
    for (const { image_id } of [first, second]) {
      const { file } = (await complete(image_id)).body
      expect(file.status).toBe('ready')
      expect((await read(`media/${seed.project_id}/${file.id}/original`)).equals(source)).toBe(true)
    }

    expect((await tusAt(third.presigned_url).send(0, source.subarray(0, 9_000_000))).status).toBe(204)
    const incoming = async () => (await objects()).filter(({ key }) => key.startsWith('incoming'))
    expect(await incoming()).toHaveLength(2)
    await sql`update files set upload_expires = now() where status = 'uploading'`
    await expect.poll(incoming).toEqual([])
    expect((await tusAt(third.presigned_url).ask('HEAD')).status).toBe(410)

    // Parts of one PUT that a crash broke off.
    const s3 = clientOf(server)
    const target = { Bucket: bucket, Key: 'a/b' }
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(target))
    await s3.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'half' }))
    const left = async () =>
      (await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []
    await expect.poll(left).toEqual([])
  })

  test('the doctor makes no bucket, leaves nothing in one, and names what a key may not do', async () => {
    const { service, bucket, objects } = await serviceOnS3(server)
    const s3 = clientOf(server)
    const look = async (Bucket: string) =>
      (await examined({ ...s3Settings(server, Bucket), MARQUEE_DATA_DIR: service.dataDir })).by.objects
    const nowhere = newBucket()
    expect(await look(nowhere)).toMatchObject({ state: 'fail', found: expect.stringContaining(nowhere) })
    await expect(s3.send(new HeadBucketCommand({ Bucket: nowhere }))).rejects.toThrow()

    expect(await look(bucket)).toEqual({
      name: 'objects',
      state: 'ok',
      found: `bucket ${bucket}: put, got, listed and deleted`,
    })
    expect(await objects()).toEqual([])
    await s3.send(new DeleteBucketCorsCommand({ Bucket: bucket }))
    expect(await look(bucket)).toMatchObject({ state: 'warn', found: expect.stringMatching(/let pages of/) })
    await deny(s3, bucket, ['s3:GetObject'])
    expect(await look(bucket)).toMatchObject({ state: 'fail', found: expect.stringMatching(/^get: /) })
    expect(await objects()).toEqual([])
    await deny(s3, bucket, ['s3:PutObject'])
    expect(await look(bucket)).toMatchObject({ state: 'fail', found: expect.stringMatching(/^put: /) })
  })

  test('what one process began another goes on with, of two at once one wins; a bucket without a rule is told of', async () => {
    const bucket = newBucket()
    const s3 = clientOf(server)
    await s3.send(new CreateBucketCommand({ Bucket: bucket }))
    await deny(s3, bucket, ['s3:PutBucketCORS'])
    const settings = s3Settings(server, bucket)
    const { one, two } = await startTwoServices({ ...settings, MARQUEE_ROLES: 'api' })
    // They say what to do and go on: everything but pages that send straight to the bucket works.
    for (const { output } of [one, two]) expect(output()).toMatch(/could not be set .* key s3:PutBucketCORS,/)

    const source = Buffer.concat([await scene(64, 40).png().toBuffer(), randomBytes(12_000_000)])
    const begun = (await uploaderOf(one.api).init('large.png', { resumable: true })).body
    const { pathname, search } = new URL(begun.presigned_url)
    const [atOne, atTwo] = [tusAt(one.url + pathname + search), tusAt(two.url + pathname + search)]
    expect((await atOne.create(source.length)).status).toBe(201)
    const cut = atOne.open(0, source.length)
    cut.write(source.subarray(0, 1_000_000))
    await expect.poll(atTwo.offset).toBe(1_000_000)
    expect((await atTwo.send(1_000_000, source.subarray(1_000_000))).status).toBe(423)
    cut.resetAndDestroy()

    const next = source.subarray(1_000_000, 4_000_000)
    await expect.poll(async () => (await atTwo.send(1_000_000, next)).status).toBe(204)
    const rest = source.subarray(4_000_000, 10_000_000)
    const answers = await Promise.all([atOne, atTwo, atOne, atTwo].map((tus) => tus.send(4_000_000, rest)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(204)
    for (const status of statuses.slice(1)) expect([409, 423]).toContain(status)
    expect(await atOne.offset()).toBe(10_000_000)

    // Whoever was silent and lost its place to the other process is not heard any more.
    const silent = atOne.open(10_000_000, source.length - 10_000_000)
    silent.write(source.subarray(10_000_000, 10_500_000))
    await expect.poll(atTwo.offset).toBe(10_500_000)
    const end = source.subarray(10_500_000)
    await expect.poll(async () => (await atTwo.send(10_500_000, end)).status).toBe(204)
    silent.write(randomBytes(source.length - 10_500_000))
    expect(String((await once(silent, 'data'))[0])).toMatch('HTTP/1.1 409')
    silent.destroy()
    expect(await atOne.offset()).toBe(source.length)

    const { file } = (await uploaderOf(two.api.as(key(one.quickstart.api_key))).complete(begun.image_id)).body
    const original = await (await storeOf(server, bucket)).get(`media/${file.project_id}/${file.id}/original`)
    expect((await buffer(original!.stream)).equals(source)).toBe(true)
  })
})

/** Begins a PUT of so many bytes, and answers what is said to that. */
async function announce(url: string, length: number): Promise<string> {
  const { hostname, port, pathname, search, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${length}\r\n\r\nx`)
  return String((await once(socket, 'data'))[0])
}
