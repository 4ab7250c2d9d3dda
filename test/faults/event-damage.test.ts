import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { videoOf, watchesOf, watching } from '../support/events.ts'
import { discard, freshDataDir, startService } from '../support/service.ts'

const VIDEOS = 12
const DAMAGED = 5

test('a spool that is damaged in the middle costs the damaged request, whatever is killed meanwhile', {
  timeout: 180_000,
}, async () => {
  const dataDir = freshDataDir()
  const events = path.join(dataDir, 'events')
  const first = await startService({ dataDir })
  for (let i = 0; i < VIDEOS; i++)
    expect((await first.api.post('/analytics/v1/events', watching(videoOf(i), 1 + i))).status).toBe(200)
  await first.stop()

  // Without a database, all of the spool is loaded again.
  for (const name of readdirSync(events).filter((entry) => entry.startsWith('events.duckdb')))
    rmSync(path.join(events, name))
  const [segment] = readdirSync(path.join(events, 'spool')).filter((entry) => entry.endsWith('.ndjson'))
  const file = path.join(events, 'spool', segment!)
  const bytes = readFileSync(file)
  const lines = bytes.toString().split('\n')
  const at = lines.slice(0, DAMAGED).join('\n').length + 1 + Math.floor(lines[DAMAGED]!.length / 2)
  for (let i = 0; i < 3; i++) bytes[at + i]! ^= 0x15
  writeFileSync(file, bytes)

  // At another point of the loading each time.
  for (const wait of [0, 700]) {
    const killed = await startService({ dataDir })
    await sleep(wait)
    await killed.kill()
  }
  const service = await startService({ dataDir })
  for (let i = 0; i < VIDEOS; i++)
    expect(await watchesOf(service.api, videoOf(i)), String(i)).toBe(i === DAMAGED ? 0 : 1 + i)

  const aside = readdirSync(path.join(events, 'rejected'))
  expect(aside).toHaveLength(1)
  expect(readFileSync(path.join(events, 'rejected', aside[0]!))).toEqual(
    bytes.subarray(lines.slice(0, DAMAGED).join('\n').length + 1).subarray(0, lines[DAMAGED]!.length),
  )
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toContain('marquee_events_rejected 1')
  await service.stop()
  discard(dataDir)
})

test('a request that cannot be loaded is said, and what was put aside before is said at the next start', {
  timeout: 120_000,
}, async () => {
  const dataDir = freshDataDir()
  const first = await startService({ dataDir })
  expect((await first.api.post('/analytics/v1/events', watching(videoOf(1), 3))).status).toBe(200)
  await first.stop()
  const spool = path.join(dataDir, 'events/spool')
  writeFileSync(path.join(spool, `${String(Date.now()).padStart(16, '0')}.ndjson`), 'no event at all\n')

  const second = await startService({ dataDir })
  expect(await watchesOf(second.api, videoOf(1))).toBe(3)
  expect(second.output()).toContain('it is not JSON. They were put aside as')
  await second.stop()
  const third = await startService({ dataDir })
  expect(third.output()).toMatch(/could not be loaded are in .*rejected: 1/)
  await third.stop()
  discard(dataDir)
})
