import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findClickHouseCluster, newDatabase } from '../events/clickhouse-cluster.ts'
import { scene } from '../fixtures/images.ts'
import { findS3Server, newBucket, s3Settings } from '../platform/objects-s3-server.ts'
import { type Api, key } from '../support/api.ts'
import { scratchFolder } from '../support/backups.ts'
import { videoOf, watchesOf, watching } from '../support/events.ts'
import { killedCommand, marquee, marqueeWith } from '../support/marquee.ts'
import { uploaderOf } from '../support/media.ts'
import { startPostgres } from '../support/postgres.ts'
import { s3Proxy } from '../support/s3-proxy.ts'
import { clientOf } from '../support/s3-service.ts'
import { discard, emptyDataDir, killAllIn, serviceForTest, startService } from '../support/service.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

const s3 = findS3Server()
const clickhouse = findClickHouseCluster()
afterAll(() => {
  if ('stop' in s3) s3.stop()
  if ('destroy' in clickhouse) clickhouse.destroy()
})
const VIDEO = videoOf(1)
const WATCHED = 300

function folderForTest(): string {
  const folder = emptyDataDir()
  onTestFinished(() => {
    killAllIn(folder)
    discard(folder)
  })
  return folder
}

/** What an app has put into an installation, and whether another has the same. */
async function filled({ api, dataDir }: { api: Api; dataDir: string }) {
  const picture = await scene(300, 200).jpeg().toBuffer()
  const image = (await uploaderOf(api).upload(picture)).body
  const video = await videoUploaderOf(api).upload(await clip(2))
  expect((await api.post('/analytics/v1/events', watching(VIDEO, WATCHED))).status).toBe(200)
  const bytesAt = async (url: string) => {
    const answer = await fetch(url)
    expect({ url, status: answer.status }).toMatchObject({ status: 200 })
    return Buffer.from(await answer.arrayBuffer())
  }
  // A smaller encoding would take the place of the one that is looked at.
  await expect
    .poll(async () => (await marquee(dataDir, 'jobs', 'list', '--queue', 'optimise-image')).out)
    .toBe('  (none)\n')
  const was = await bytesAt(image.file.url)
  return async (there: Api) => {
    const shown = (await there.get(`/images/${image.id}`)).body
    expect((await bytesAt(shown.file.url)).equals(was)).toBe(true)
    const film = (await there.get(`/videos/${video.id}`)).body
    expect((await bytesAt(film.file.url)).toString()).toMatch(/^#EXTM3U/)
    expect(await watchesOf(there, VIDEO)).toBe(WATCHED)
  }
}

describe.skipIf('missing' in s3 || 'missing' in clickhouse)('from one kind of engines to the other', () => {
  if ('missing' in s3 || 'missing' in clickhouse) return

  test('an installation is moved into engines by address, backed up to S3 from there, and made embedded again', {
    timeout: 400_000,
  }, async () => {
    const service = await startService()
    onTestFinished(() => discard(service.dataDir))
    const { api_key } = service.quickstart
    const hasAll = await filled(service)
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const backupBucket = newBucket()
    await clientOf(s3).send(new CreateBucketCommand({ Bucket: backupBucket }))
    const bucket = newBucket()
    await clientOf(s3).send(new CreateBucketCommand({ Bucket: bucket }))
    const watched = await s3Proxy(s3.endpoint)
    const settings = {
      MARQUEE_DATABASE_URL: postgres.url,
      ...s3Settings({ ...s3, endpoint: watched.endpoint }, bucket),
      MARQUEE_CLICKHOUSE_URL: clickhouse.urls.join(','),
      MARQUEE_CLICKHOUSE_CLUSTER: clickhouse.cluster,
      MARQUEE_CLICKHOUSE_USER: clickhouse.user,
      MARQUEE_CLICKHOUSE_PASSWORD: clickhouse.password,
      MARQUEE_CLICKHOUSE_DATABASE: newDatabase(),
    }
    const dataDir = folderForTest()
    const file = path.join(scratchFolder(), 'new.env')
    const lines = Object.entries({ ...settings, MARQUEE_DATA_DIR: dataDir }).map(
      ([name, is]) => `${name}=${is}`,
    )
    writeFileSync(file, lines.join('\n'))

    const refused = await marquee(service.dataDir, 'move', '--to', file)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Stop the service first') })
    await service.stop()
    // Cut off in the middle, once the first file is copied: it is done by doing it again.
    const hasBegun = () => [...watched.stored.keys()].some((name) => name.includes('/media/'))
    const from = { MARQUEE_DATA_DIR: service.dataDir }
    expect(await killedCommand(from, hasBegun, 'move', '--to', file)).toBe(true)
    killAllIn(service.dataDir)
    const moved = await marquee(service.dataDir, 'move', '--to', file, '--json')
    expect(moved.code, moved.err).toBe(0)
    expect(moved.json()).toMatchObject({ events: WATCHED })
    expect(moved.json().objects).toBeGreaterThan(2)

    const there = await serviceForTest({ dataDir, env: settings })
    const api = there.api.as(key(api_key))
    await hasAll(api)
    expect((await uploaderOf(api).upload(await scene(90, 90).jpeg().toBuffer())).status).toBe(200)
    const again = await marquee(service.dataDir, 'move', '--to', file)
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('the service runs on') })

    const place = `s3://${backupBucket}/nightly/marquee`
    const keyFile = path.join(scratchFolder(), 'backup.key')
    writeFileSync(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 })
    const onS3 = { ...settings, MARQUEE_DATA_DIR: dataDir }
    const backedUp = await marqueeWith(onS3, 'backup', place, '--key-file', keyFile, '--json')
    expect(backedUp.code, backedUp.err).toBe(0)
    expect(backedUp.json()).toMatchObject({ events: WATCHED, encrypted: true, missing: [] })
    const verified = await marqueeWith(onS3, 'verify', place, '--key-file', keyFile, '--json')
    expect(verified.json(), verified.err).toMatchObject({ problems: [], events: WATCHED })
    const exported = path.join(scratchFolder(), 'exported')
    const written = await marqueeWith(onS3, 'export', service.quickstart.project_id, exported, '--json')
    expect(written.json(), written.err).toMatchObject({ events: WATCHED, missing: [] })

    const embedded = folderForTest()
    const { MARQUEE_S3_ENDPOINT, MARQUEE_S3_ACCESS_KEY, MARQUEE_S3_SECRET_KEY } = settings
    const own = {
      MARQUEE_DATA_DIR: embedded,
      MARQUEE_BACKUP_S3_ENDPOINT: MARQUEE_S3_ENDPOINT,
      MARQUEE_BACKUP_S3_ACCESS_KEY: MARQUEE_S3_ACCESS_KEY,
      MARQUEE_BACKUP_S3_SECRET_KEY: MARQUEE_S3_SECRET_KEY,
      MARQUEE_BACKUP_S3_PATH_STYLE: 'true',
    }
    const restore = ['restore', place, '--key-file', keyFile, '--json']
    const restored = await marqueeWith(own, ...restore)
    expect(restored.code, restored.err).toBe(0)
    const home = await startService({ dataDir: embedded })
    await hasAll(home.api.as(key(api_key)))
    await home.stop()

    expect(await marqueeWith(own, ...restore)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/not empty.*--force/),
    })
    const replaced = await marqueeWith(own, ...restore, '--force')
    expect(replaced.code, replaced.err).toBe(0)
    const aside = readdirSync(embedded).find((name) => name.startsWith('replaced-'))!
    expect(existsSync(path.join(embedded, aside, 'postgres'))).toBe(true)
    const anew = await serviceForTest({ dataDir: embedded })
    await hasAll(anew.api.as(key(api_key)))
  })
})
