import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findS3Server, newBucket, type S3Server, s3Settings } from '../platform/objects-s3-server.ts'
import { checkHls } from '../support/hls/check.ts'
import { local } from '../support/media.ts'
import { startPostgres } from '../support/postgres.ts'
import { s3Proxy } from '../support/s3-proxy.ts'
import { storeOf } from '../support/s3-service.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'
import { mediaIn } from '../support/stored-media.ts'
import { videoUploaderOf } from '../support/video.ts'
import { makeSource } from '../support/videos/sources.ts'

const server = findS3Server()

describe.skipIf('missing' in server)('workers without a shared disk', () => {
  if ('missing' in server) return
  afterAll(() => server.stop())

  /** Services on one database and one bucket, each with a data folder of its own. */
  async function oneInstallation(server: S3Server) {
    const bucket = newBucket()
    const postgres = await startPostgres()
    const proxy = await s3Proxy(server.endpoint)
    const settings = s3Settings({ ...server, endpoint: proxy.endpoint }, bucket)
    const stops: (() => Promise<void>)[] = [() => postgres.stop()]
    onTestFinished(async () => {
      for (const stop of stops.reverse()) await stop()
    })
    const start = async (roles: string) => {
      const dataDir = emptyDataDir()
      const env = { MARQUEE_DATABASE_URL: postgres.url, ...settings, MARQUEE_ROLES: roles }
      const service = await startService({ dataDir, env })
      stops.push(async () => {
        process.kill(service.pid, 'SIGCONT')
        await service.stop()
        discard(dataDir)
      })
      return service
    }
    const objects = async () => {
      const store = await storeOf(server, bucket)
      const found: { key: string; size: number; etag: string }[] = []
      for (const { key, size } of await mediaIn(store))
        found.push({ key, size, etag: (await store.head(key))!.etag })
      return found
    }
    return { proxy, start, objects }
  }

  test('one that is paused past its lease finds its work done, and changes nothing of it', async () => {
    const { proxy, start, objects } = await oneInstallation(server)
    const { api } = await start('api')
    const paused = await start('worker')
    const put = proxy.holdBack('/v180/1.m4s')
    const source = await makeSource('mp4-h264-long-gop')
    const film = await readFile(source)
    const video = await videoUploaderOf(api).upload(film, { file_size: film.length })
    // A segment is made and on its way to the store, when the machine stands still.
    await put.held
    process.kill(paused.pid, 'SIGSTOP')

    await start('worker')
    const status = async () => (await api.get(`/videos/${video.id as string}/progress`)).body.status
    while ((await status()) !== 'complete') await sleep(200)
    const made = await objects()
    const bytes = made.reduce((sum, { size }) => sum + size, 0)
    expect((await api.get('/project')).body.storage_used).toBe(bytes)

    put.release()
    expect(await put.answered).toBe(412)
    process.kill(paused.pid, 'SIGCONT')
    await expect.poll(() => paused.output()).toMatch(/lease/)
    expect(await objects()).toEqual(made)
    for (const [name, times] of proxy.stored) if (name.endsWith('.m4s')) expect(times, name).toBe(1)
    expect((await api.get('/project')).body.storage_used).toBe(bytes)
    expect(await checkHls(local(video.file.url), { source, settled: true })).toEqual([])

    // And it is as well as before.
    expect((await fetch(`${paused.url}/readyz`)).status).toBe(200)
  })
})
