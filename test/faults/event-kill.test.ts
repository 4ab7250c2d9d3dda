import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { duckDbOf, videoOf, watchesOf, watching } from '../support/events.ts'
import { discard, freshDataDir, startService } from '../support/service.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 2
const WRITERS = 4
const REFUSED = videoOf(999_999)

interface Sent {
  video: string
  acknowledged: number
  /** Of the one request whose answer never came. */
  unknown: number
}

test(`after ${KILLS} times kill -9 under load, every acknowledged event is there once`, {
  timeout: KILLS * 60_000 + 120_000,
}, async () => {
  const dataDir = freshDataDir()
  const env = { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' }
  const sent: Sent[] = []
  let service = await startService({ dataDir, env })

  /** Sends until the service is gone: valid requests, and some that are refused as a whole. */
  async function writer(record: Sent): Promise<void> {
    try {
      for (let i = 0; ; i++) {
        const count = 1 + ((i * 7) % 50)
        record.unknown = count
        const answer = await service.api.post('/analytics/v1/events', watching(record.video, count))
        record.unknown = 0
        if (answer.status === 200) record.acknowledged += count
        const bad = { events: [...(watching(REFUSED, 3) as { events: object[] }).events, { timestamp: 'x' }] }
        if (i % 5 === 0) expect((await service.api.post('/analytics/v1/events', bad)).status).toBe(400)
      }
    } catch (error) {
      if ((error as Error).name === 'AssertionError') throw error
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const records = Array.from({ length: WRITERS }, (_, i) => {
      return { video: videoOf(kill * WRITERS + i), acknowledged: 0, unknown: 0 }
    })
    sent.push(...records)
    const writers = records.map(writer)
    while (records.some(({ acknowledged }) => acknowledged === 0)) await sleep(1)
    // At another point of the loading each time; now and then the engine alone goes first.
    await sleep((kill * 571) % 2300)
    if (kill % 2 === 1) {
      const engine = duckDbOf(service)
      if (engine) process.kill(engine, 'SIGKILL')
      await sleep(500)
    }
    await service.kill()
    await Promise.all(writers)
    service = await startService({ dataDir, env })
  }

  for (const { video, acknowledged, unknown } of sent) {
    const watches = await watchesOf(service.api, video)
    expect([acknowledged, acknowledged + unknown], video).toContain(watches)
  }
  expect(await watchesOf(service.api, REFUSED)).toBe(0)
  expect(service.output()).not.toContain('put aside')
  await service.stop()
  discard(dataDir)
})
