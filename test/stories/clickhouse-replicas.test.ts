import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findClickHouseCluster, newDatabase } from '../events/clickhouse-cluster.ts'
import { videoOf, watchesOf, watching } from '../support/events.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'

const LOSSES = process.env.MARQUEE_TEST_LONG ? 10 : 2
const found = findClickHouseCluster(2)

describe.skipIf('missing' in found)('one process on a cluster of ClickHouse with replicas', () => {
  if ('missing' in found) return

  test('what was acknowledged is there when the spool is lost, and nothing is while it cannot be copied', {
    timeout: 300_000,
  }, async () => {
    const dataDir = emptyDataDir()
    const env = {
      MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
      MARQUEE_CLICKHOUSE_URL: found.shards.map((replicas) => replicas.join('|')).join(','),
      MARQUEE_CLICKHOUSE_CLUSTER: found.cluster,
      MARQUEE_CLICKHOUSE_USER: found.user,
      MARQUEE_CLICKHOUSE_PASSWORD: found.password,
      MARQUEE_CLICKHOUSE_DATABASE: newDatabase(),
    }
    let service = await startService({ dataDir, env })
    onTestFinished(async () => {
      await service.stop()
      found.destroy()
      discard(dataDir)
    })
    const video = videoOf(1)
    let [sent, number] = [0, 0]
    const newRequest = () => ({
      key: `request ${++number}`,
      events: watching(video, 10, { user_id: `viewer ${number}` }),
    })
    const send = async ({ key, events } = newRequest()) => {
      const { status } = await service.api.post('/analytics/v1/events', events, { 'idempotency-key': key })
      if (status === 200) sent += 10
      return status
    }

    for (let round = 0; round < LOSSES; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
      expect(answers).toEqual(Array.from({ length: 20 }, () => 200))
      await service.kill()
      rmSync(path.join(dataDir, 'events'), { recursive: true })
      service = await startService({ dataDir, env })
      expect(await watchesOf(service.api, video)).toBe(sent)
    }

    // One of each shard away: it goes on.
    found.kill(1)
    found.kill(4)
    expect(await send()).toBe(200)
    expect(await watchesOf(service.api, video)).toBe(sent)
    // All away: not taken, and said so.
    found.kill(2)
    found.kill(3)
    const refused = newRequest()
    expect(await send(refused)).toBe(503)
    found.start()
    // It may have been kept all the same: the same request again counts once.
    await expect.poll(() => send(refused), { timeout: 60_000 }).toBe(200)
    expect(await watchesOf(service.api, video)).toBe(sent)
  })
})
