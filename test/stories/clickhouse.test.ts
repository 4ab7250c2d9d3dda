import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findClickHouseCluster, newDatabase } from '../events/clickhouse-cluster.ts'
import { key } from '../support/api.ts'
import { collector } from '../support/collector.ts'
import { examined } from '../support/doctor.ts'
import { videoOf, watchesOf, watching } from '../support/events.ts'
import { startPostgres } from '../support/postgres.ts'
import { says } from '../support/scripted-server.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'

const SECONDS_STOPPED = process.env.MARQUEE_TEST_LONG ? 60 : 4
const found = findClickHouseCluster()

describe.skipIf('missing' in found)('two processes on one cluster of ClickHouse', () => {
  if ('missing' in found) return

  test('what one has acknowledged is in the report of the other, also after ClickHouse was away', {
    timeout: 300_000,
  }, async () => {
    const postgres = await startPostgres()
    const collects = await collector(says(200))
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collects.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      MARQUEE_DATABASE_URL: postgres.url,
      MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
      MARQUEE_CLICKHOUSE_URL: found.urls.join(','),
      MARQUEE_CLICKHOUSE_CLUSTER: found.cluster,
      MARQUEE_CLICKHOUSE_USER: found.user,
      MARQUEE_CLICKHOUSE_PASSWORD: found.password,
      MARQUEE_CLICKHOUSE_DATABASE: newDatabase(),
    }
    const one = await startService({ dataDir: emptyDataDir(), env })
    const two = await startService({ dataDir: emptyDataDir(), env })
    onTestFinished(async () => {
      await Promise.all([one.stop(), two.stop()])
      await postgres.stop()
      found.destroy()
      discard(one.dataDir)
      discard(two.dataDir)
    })
    const others = two.api.as(key(one.quickstart.api_key))
    const video = videoOf(1)
    const send = async (api: typeof others) => {
      const events = watching(video, 10, { user_id: `viewer ${Math.random()}` })
      return (await api.post('/analytics/v1/events', events)).status
    }

    let sent = 0
    for (let i = 0; i < 10; i++) {
      expect(await send(one.api)).toBe(200)
      sent += 10
      expect(await watchesOf(others, video)).toBe(sent)
    }

    found.stop()
    const until = Date.now() + SECONDS_STOPPED * 1000
    while (Date.now() < until)
      for (const api of [one.api, others]) {
        expect(await send(api)).toBe(200)
        sent += 10
        await sleep(5)
      }
    expect((await others.get(`/analytics/v1/videos/${video}/stats`)).status).toBe(503)
    found.start()
    await expect.poll(() => watchesOf(others, video).catch(() => 0), { timeout: 60_000 }).toBe(sent)
    const { body } = await others.get('/analytics/v1/top/videos')
    expect(body.videos[0].unique_viewers).toBe(sent / 10)

    for (const name of ['clickhouse select', 'clickhouse insert', 'load events'])
      await expect.poll(() => collects.spans().map((span) => span.name)).toContain(name)

    const names = found.urls.map((url) => `clickhouse ${new URL(url).host}`)
    const well = (await examined({ ...env, MARQUEE_DATA_DIR: one.dataDir })).by
    for (const name of names)
      expect(well[name]).toMatchObject({ state: 'ok', found: expect.stringMatching(/made, written to/) })
    const reversed = { ...env, MARQUEE_CLICKHOUSE_URL: found.urls.toReversed().join(',') }
    const misnamed = { ...env, MARQUEE_CLICKHOUSE_DATABASE: newDatabase() }
    const [mixedUp, empty] = [await examined(reversed), await examined(misnamed)].map(({ by }) => by)
    for (const name of names) {
      expect(mixedUp![name]).toMatchObject({ state: 'fail', found: expect.stringMatching(/is not shard/) })
      expect(empty![name]).toMatchObject({ state: 'warn', found: expect.stringMatching(/no tables/) })
    }
  })
})
