import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../server/platform/postgres/client.ts'
import { scene } from '../fixtures/images.ts'
import { key } from '../support/api.ts'
import { watchesOf, watching } from '../support/events.ts'
import { uploaderOf } from '../support/media.ts'
import { installationForTest } from '../support/scale/installation.ts'
import { nextVersion } from '../support/scale/next-version.ts'
import { discard, emptyDataDir, failingStart, root } from '../support/service.ts'

const MIGRATIONS = readdirSync(path.join(root, 'migrations')).filter((name) => /^\d{4}_/.test(name))

test('ten processes that start together on an empty database set it up once', async () => {
  const installation = await installationForTest({ apis: 5, workers: 5, isEmpty: true })
  const sql = connect({ url: installation.databaseUrl }, { max: 1 })
  onTestFinished(() => sql.end())
  const applied = await sql<{ name: string; sha256: string }[]>`select name, sha256 from schema_migrations`
  expect(applied).toHaveLength(MIGRATIONS.length)
  expect(new Set(applied.map(({ name }) => name)).size).toBe(MIGRATIONS.length)
  expect(await sql`select from organizations`).toHaveLength(1)
  const all = [...installation.apis, ...installation.workers]
  expect(all.filter(({ quickstart }) => quickstart.api_key)).toHaveLength(1)
  for (const { url } of all) expect((await fetch(`${url}/readyz`)).status).toBe(200)

  await sql`update schema_migrations set sha256 = ${'0'.repeat(64)} where version = 20`
  const dataDir = emptyDataDir()
  const { code, lines } = await failingStart(dataDir, installation.env)
  discard(dataDir)
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatch(/^marquee: migrations\/0020_post_places\.sql is not what was applied/)
})

test('an old version goes on beside a new one that has changed the tables', async () => {
  const installation = await installationForTest({ apis: 1, workers: 1 })
  const { api_key } = installation.quickstart
  const [old] = installation.apis
  const next = await installation.start('api', { checkout: nextVersion() })
  const onOld = old!.api.as(key(api_key))
  const onNext = next.api.as(key(api_key))

  const picture = await scene().jpeg().toBuffer()
  for (const [one, other] of [
    [onOld, onNext],
    [onNext, onOld],
  ] as const) {
    const made = await uploaderOf(one).upload(picture)
    expect(made.status).toBe(200)
    expect((await other.get(`/images/${made.body.id}`)).status).toBe(200)
    const video = `vid_${String(Math.random()).slice(2).padStart(26, '0')}`
    expect((await one.post('/analytics/v1/events', watching(video, 3))).status).toBe(200)
    expect(await watchesOf(other, video)).toBe(3)
  }
  // What is still to be done for the images is done by the old worker.
  const sql = connect({ url: installation.databaseUrl }, { max: 1 })
  onTestFinished(() => sql.end())
  await expect.poll(() => sql`select from jobs`).toHaveLength(0)

  const dataDir = emptyDataDir()
  const { code, lines } = await failingStart(dataDir, installation.env)
  discard(dataDir)
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatch(/the database is of a newer Marquee \(schema 9999, this one knows \d+\)/)
})
