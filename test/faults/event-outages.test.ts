import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, statSync, truncateSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { duckDbOf, videoOf, watchesOf, watching } from '../support/events.ts'
import { discard, freshDataDir, serviceForTest, startService } from '../support/service.ts'

const SECONDS_STOPPED = process.env.MARQUEE_TEST_LONG ? 60 : 4
const VIDEO = videoOf(1)
const UNLIMITED = { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' }

test(`while the engine stands still for ${SECONDS_STOPPED} s everything is taken, and there afterwards`, {
  timeout: 300_000,
}, async () => {
  const service = await serviceForTest({ env: { ...UNLIMITED, MARQUEE_EVENTS_PATIENCE: '5' } })
  await service.api.post('/analytics/v1/events', watching(VIDEO, 1))
  await expect.poll(() => watchesOf(service.api, VIDEO).catch(() => 0), { timeout: 60_000 }).toBe(1)
  const engine = duckDbOf(service)!
  process.kill(engine, 'SIGSTOP')

  let sent = 1
  const until = Date.now() + SECONDS_STOPPED * 1000
  while (Date.now() < until) {
    expect((await service.api.post('/analytics/v1/events', watching(VIDEO, 10))).status).toBe(200)
    sent += 10
    await sleep(2)
  }
  const report = await service.api.get(`/analytics/v1/videos/${VIDEO}/stats`)
  expect(report.status).toBe(503)
  expect(report.headers.get('retry-after')).toBeTruthy()
  expect(report.body.details).toContain('the report was ended after 5 s')
  process.kill(engine, 'SIGCONT')
  await expect.poll(() => watchesOf(service.api, VIDEO).catch(() => 0), { timeout: 60_000 }).toBe(sent)
})

test('an engine that is killed is started again, and nothing is missing or there twice', {
  timeout: 120_000,
}, async () => {
  const service = await serviceForTest({ env: UNLIMITED })
  for (let round = 1; round <= 3; round++) {
    expect((await service.api.post('/analytics/v1/events', watching(VIDEO, 100))).status).toBe(200)
    await expect
      .poll(() => watchesOf(service.api, VIDEO).catch(() => 0), { timeout: 30_000 })
      .toBe(round * 100)
    process.kill(duckDbOf(service)!, 'SIGKILL')
  }
})

const DAMAGES: Record<string, (file: string) => void> = {
  'cut off': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  empty: (file) => truncateSync(file, 0),
  'without a head': (file) => writeSync(openSync(file, 'r+'), Buffer.alloc(4096 * 3), 0, 4096 * 3, 0),
  'overwritten in all its blocks': (file) => {
    const handle = openSync(file, 'r+')
    for (let at = 12_288; at < statSync(file).size; at += 10_000)
      writeSync(handle, Buffer.alloc(64, 7), 0, 64, at)
  },
}

const TRIED = process.env.MARQUEE_TEST_LONG
  ? Object.keys(DAMAGES)
  : ['cut off', 'overwritten in all its blocks']

test('a database that is damaged is put aside and made again from the spool', {
  timeout: 300_000,
}, async () => {
  const dataDir = freshDataDir()
  const file = path.join(dataDir, 'events/events.duckdb')
  let expected = 0
  for (const name of TRIED) {
    const service = await startService({ dataDir, env: UNLIMITED })
    for (let i = 0; i < 20; i++)
      expect((await service.api.post('/analytics/v1/events', watching(VIDEO, 500))).status).toBe(200)
    expected += 20 * 500
    expect(await watchesOf(service.api, VIDEO), name).toBe(expected)
    await service.stop()
    DAMAGES[name]!(file)

    const next = await startService({ dataDir, env: UNLIMITED })
    await expect.poll(() => next.output(), { timeout: 30_000 }).toContain('put aside')
    expect(await watchesOf(next.api, VIDEO), name).toBe(expected)
    await next.stop()
  }
  const kept = readdirSync(path.join(dataDir, 'events')).filter((entry) => /damaged-[\dT.Z-]+$/.test(entry))
  expect(kept).toHaveLength(TRIED.length)
  discard(dataDir)
})

test.skipIf(process.getuid!() !== 0)(
  'a full disk refuses events with 503, whole, and takes them again',
  {
    timeout: 120_000,
  },
  async () => {
    const dataDir = freshDataDir()
    const folder = path.join(dataDir, 'events/spool')
    mkdirSync(folder, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'marquee-test', folder])
    const service = await startService({ dataDir, env: UNLIMITED })
    onTestFinished(async () => {
      await service.stop()
      execFileSync('umount', [folder])
      discard(dataDir)
    })
    let taken = 0
    for (;;) {
      const answer = await service.api.post('/analytics/v1/events', watching(VIDEO, 1000))
      if (answer.status !== 200) {
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBeTruthy()
        break
      }
      taken += 1000
    }
    expect(taken).toBeGreaterThan(0)
    expect(await watchesOf(service.api, VIDEO)).toBe(taken)
    execFileSync('mount', ['-o', 'remount,size=64m', folder])
    expect((await service.api.post('/analytics/v1/events', watching(VIDEO, 1000))).status).toBe(200)
    expect(await watchesOf(service.api, VIDEO)).toBe(taken + 1000)
    expect(existsSync(folder)).toBe(true)
  },
)
