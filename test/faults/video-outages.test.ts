import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findS3Server, s3Settings } from '../platform/objects-s3-server.ts'
import { addressAt, film, progressOf, segmentsMade, whenSettled } from '../support/films.ts'
import { checkHls } from '../support/hls/check.ts'
import { composeForTest } from '../support/in-process.ts'
import { bytesOnDisk, objectsOnDisk } from '../support/media.ts'
import { mediaPrograms } from '../support/media-programs.ts'
import { startPostgres } from '../support/postgres.ts'
import { s3Proxy } from '../support/s3-proxy.ts'
import { discard, emptyDataDir, killAllIn, serviceForTest, startService } from '../support/service.ts'
import { videoUploaderOf } from '../support/video.ts'

const server = findS3Server()
afterAll(() => 'stop' in server && server.stop())

/** A film, and a file with it that lasts as long as the test. */
async function filmFile(seconds: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-film-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const content = await film(seconds)
  const source = path.join(folder, 'film.mp4')
  writeFileSync(source, content)
  return { content, source }
}

test('the database goes away in the middle, and the work goes on after it', {
  timeout: 400_000,
}, async () => {
  const service = await serviceForTest()
  const { api, dataDir } = service
  const { content, source } = await filmFile(40)
  const video = await videoUploaderOf(api).upload(content)
  while ((await segmentsMade(api, video.id)) < 3) await sleep(5)
  killAllIn(dataDir)
  expect(await whenSettled(api, video.id)).toMatchObject({ status: 'complete' })
  const url = addressAt(service, video)
  expect(await checkHls(url, { source, ssimFloor: null, settled: true })).toEqual([])
  const isAddedUp = async () => (await api.get('/project')).body.storage_used === bytesOnDisk(dataDir)
  while (!(await isAddedUp())) await sleep(200)
  expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
  expect(objectsOnDisk(dataDir)).toEqual([])
  expect(mediaPrograms(service)).toEqual([])
})

describe.skipIf('missing' in server)('with media in S3', () => {
  if ('missing' in server) return
  const settings = (endpoint: string) => s3Settings({ ...server, endpoint })

  test.runIf(process.env.MARQUEE_TEST_LONG)(
    'the storage goes away for longer than three tries take',
    { timeout: 400_000 },
    async () => {
      const proxy = await s3Proxy(server.endpoint)
      const service = await composeForTest({ env: settings(proxy.endpoint) })
      const { api, sql } = service
      const { content, source } = await filmFile(40)
      const video = await videoUploaderOf(api).upload(content)
      while ((await segmentsMade(api, video.id)) < 3) await sleep(5)
      proxy.goAway()
      const url = addressAt(service, video)
      expect((await fetch(`${url}/v360/9.m4s`)).status).toBe(503)
      expect((await fetch(`${url}/v360/index.m3u8`)).status).toBe(200)
      await sleep(20_000)
      expect(proxy.refused()).toBeGreaterThan(3)
      expect((await progressOf(api, video.id)).status).toBe('processing')
      proxy.comeBack()

      expect(await whenSettled(api, video.id)).toMatchObject({ status: 'complete' })
      while ((await sql`select from jobs`).length > 0) await sleep(50)
      expect(await checkHls(url, { source, ssimFloor: null, settled: true })).toEqual([])
    },
  )

  test('two processes that are both asked make each segment once', { timeout: 400_000 }, async () => {
    const postgres = await startPostgres()
    const proxy = await s3Proxy(server.endpoint)
    const env = { MARQUEE_DATABASE_URL: postgres.url, ...settings(proxy.endpoint) }
    const one = await startService({ dataDir: emptyDataDir(), env })
    const two = await startService({ dataDir: emptyDataDir(), env })
    onTestFinished(async () => {
      await Promise.all([one.stop(), two.stop()])
      await postgres.stop()
      for (const { dataDir } of [one, two]) discard(dataDir)
    })
    const { content } = await filmFile(40)
    const video = await videoUploaderOf(one.api).upload(content)
    const { renditions } = await progressOf(one.api, video.id)
    const wanted = renditions.flatMap(({ name, segments }) =>
      Array.from({ length: segments }, (_, number) => `${name}/${number}.m4s`),
    )
    // In another order by each, so that they meet.
    const asked = [one, two].flatMap((service, i) =>
      (i === 0 ? wanted : wanted.toReversed()).map((name) => fetch(`${addressAt(service, video)}/${name}`)),
    )
    const bodies = await Promise.all(asked.map(async (answer) => (await answer).arrayBuffer()))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
    for (const [i] of wanted.entries())
      expect(Buffer.from(bodies[i]!).equals(Buffer.from(bodies[2 * wanted.length - 1 - i]!))).toBe(true)
    expect(await whenSettled(one.api, video.id)).toMatchObject({ status: 'complete' })
    const segments = [...proxy.stored].filter(([name]) => /\/\d+\.m4s$/.test(name))
    expect(segments.map(([, times]) => times)).toEqual(wanted.map(() => 1))
  })
})
