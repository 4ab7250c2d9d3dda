import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ListedObject } from '../../server/platform/objects/port.ts'
import { openS3Store } from '../../server/platform/objects/s3.ts'
import { scene } from '../fixtures/images.ts'
import { similarity } from '../media/similarity.ts'
import { findS3Server } from '../platform/objects-s3-server.ts'
import { checkHls } from '../support/hls/check.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { startPostgres } from '../support/postgres.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'
import { sha1, tusAt } from '../support/tus.ts'
import { videoUploaderOf } from '../support/video.ts'
import { makeSource } from '../support/videos/sources.ts'

const server = findS3Server()
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe.skipIf('missing' in server)('media in S3', () => {
  if ('missing' in server) return
  afterAll(() => server.stop())

  async function serviceOnS3(more: Record<string, string> = {}) {
    const bucket = `marquee-${randomBytes(6).toString('hex')}`
    const { endpoint, region, credentials } = server as Exclude<typeof server, { missing: string }>
    const service = await composeForTest({
      env: {
        MARQUEE_S3_BUCKET: bucket,
        MARQUEE_S3_ENDPOINT: endpoint,
        MARQUEE_S3_REGION: region,
        MARQUEE_S3_ACCESS_KEY: credentials.accessKeyId,
        MARQUEE_S3_SECRET_KEY: credentials.secretAccessKey,
        MARQUEE_S3_PATH_STYLE: 'true',
        MARQUEE_SWEEP_INTERVAL: '1',
        MARQUEE_BROKEN_UPLOADS_KEEP: '60',
        ...more,
      },
    })
    const store = await openS3Store({ bucket, endpoint, region, credentials, forcePathStyle: true })
    const objects = async () => {
      const found: ListedObject[] = []
      for await (const object of store.list()) found.push(object)
      return found
    }
    const read = async (key: string) => buffer((await store.get(key))!.stream)
    return { service, bucket, endpoint, region, credentials, objects, read }
  }

  test('the same story: S3’s own address, complete, serve, delete', async () => {
    const { service, endpoint, objects } = await serviceOnS3()
    const { api } = service
    expect((await api.get('/readyz')).body.engines).toEqual({ postgres: 'ok', objects: 'ok', events: 'ok' })
    const source = await scene(640, 400).jpeg().toBuffer()
    const { init, put, complete } = uploaderOf(api)
    const { body } = await init()
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
    expect((await put(body.presigned_url, 'other bytes')).status).toBe(200)
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(served)).toBe(true)
    while ((await objects()).some(({ key }) => key.startsWith('incoming/'))) await sleep(100)
    const stored = (await objects()).reduce((sum, { size }) => sum + size, 0)
    expect((await api.get('/project')).body.storage_used).toBe(stored)

    expect((await api.delete(`/images/${made.body.id}`)).status).toBe(204)
    expect((await fetch(url)).status).toBe(404)
    expect(await objects()).toEqual([])
    expect((await api.get('/project')).body.storage_used).toBe(0)
  })

  test('a file comes by tus, with interruptions; cancelled, nothing of it is left', async () => {
    const { service, endpoint, objects, read } = await serviceOnS3()
    const { api, seed } = service
    const source = Buffer.concat([await scene(64, 40).png().toBuffer(), randomBytes(12 * 2 ** 20)])
    const begin = async () =>
      (await api.post('/images/upload/init', { file_name: 'large.png', resumable: true })).body
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

  test('an address of S3 takes no other length than was named, and pages may put to it', async () => {
    const { service } = await serviceOnS3()
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
  })

  test('parts of what a crash broke off are swept by the service', async () => {
    const { bucket, ...options } = await serviceOnS3({ MARQUEE_BROKEN_UPLOADS_KEEP: '1' })
    const { endpoint, region, credentials } = options
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
    onTestFinished(() => client.destroy())
    const target = { Bucket: bucket, Key: 'a/b' }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
    await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'half' }))
    const left = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []
    while ((await left()).length > 0) await sleep(100)
  })

  test('a video: one process answers and makes what is asked for, another fills, each segment once', async () => {
    const { endpoint, region, credentials } = server as Exclude<typeof server, { missing: string }>
    const bucket = `marquee-${randomBytes(6).toString('hex')}`
    const postgres = await startPostgres()
    const env = {
      MARQUEE_DATABASE_URL: postgres.url,
      MARQUEE_S3_BUCKET: bucket,
      MARQUEE_S3_ENDPOINT: endpoint,
      MARQUEE_S3_REGION: region,
      MARQUEE_S3_ACCESS_KEY: credentials.accessKeyId,
      MARQUEE_S3_SECRET_KEY: credentials.secretAccessKey,
      MARQUEE_S3_PATH_STYLE: 'true',
    }
    const folders = [emptyDataDir(), emptyDataDir()]
    const api = await startService({ dataDir: folders[0]!, env: { ...env, MARQUEE_ROLES: 'api' } })
    const worker = await startService({ dataDir: folders[1]!, env: { ...env, MARQUEE_ROLES: 'worker' } })
    onTestFinished(async () => {
      await Promise.all([api.stop(), worker.stop()])
      await postgres.stop()
      folders.forEach(discard)
    })
    const store = await openS3Store({ bucket, endpoint, region, credentials, forcePathStyle: true })
    const source = await makeSource('mp4-h264-long-gop')
    const video = await videoUploaderOf(api.api).upload(await readFile(source))
    const progress = () => api.api.get(`/videos/${video.id}/progress`)
    // From the last to the first: what the other process is about to make is asked for here.
    for (let number = 3; number >= 0; number--)
      for (const name of ['v180', 'a0'])
        expect((await fetch(`${local(video.file.url)}/${name}/${number}.m4s`)).status).toBe(200)
    while ((await progress()).body.status !== 'complete') await sleep(200)
    expect(await checkHls(local(video.file.url), { source, settled: true })).toEqual([])

    const stored = []
    for await (const { key, size } of store.list()) stored.push({ key, size })
    expect(stored.filter(({ key }) => /\/\d+\.m4s$/.test(key))).toHaveLength(10)
    const bytes = stored.reduce((sum, { size }) => sum + size, 0)
    expect((await api.api.get('/project')).body.storage_used).toBe(bytes)

    // As one file, which is stored nowhere; and a part of it as a video of its own, which is.
    const whole = await bytesOf(await fetch(`${local(video.file.url)}/download.mp4`))
    const range = { range: `bytes=5000-${whole.length - 2}` }
    const part = await bytesOf(await fetch(`${local(video.file.url)}/download.mp4`, { headers: range }))
    expect(part.equals(whole.subarray(5000, -1))).toBe(true)
    expect((await fetch(`${local(video.file.url)}/preview.webp`)).status).toBe(200)
    expect((await api.api.get('/project')).body.storage_used).toBe(bytes)
    const cut = (await api.api.post(`/videos/${video.id}/clips`, { start: 3, end: 4 })).body
    expect((await api.api.delete(`/videos/${video.id}`)).status).toBe(204)
    expect((await fetch(`${local(cut.file.url)}/v180/0.m4s`)).status).toBe(200)
    expect((await api.api.delete(`/videos/${cut.id}`)).status).toBe(204)
    for await (const { key } of store.list()) expect(key).toBe('nothing')
    expect((await api.api.get('/project')).body.storage_used).toBe(0)
  })
})
