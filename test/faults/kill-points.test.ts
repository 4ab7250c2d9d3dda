import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATIONS } from '../support/kill-points/operations.ts'
import { HEADER, type Moment, type Point, RECORDED_IN, written } from '../support/kill-points/point.ts'
import { objectsOnDisk } from '../support/media.ts'
import { discard, freshDataDir, root, startService, type TestService } from '../support/service.ts'
import { PROVIDERS } from '../support/webhooks.ts'

/** Of every operation all of its points in the long form; in the short one, of every second operation one. */
const POINTS = process.env.MARQUEE_TEST_LONG ? Number.POSITIVE_INFINITY : 1

const scratch = mkdtempSync(path.join(os.tmpdir(), 'marquee-kill-points-'))
const recorded = path.join(scratch, 'recorded')
const ENV = {
  ...PROVIDERS,
  [RECORDED_IN]: recorded,
  NODE_OPTIONS: `--import=${path.join(root, 'test/support/kill-points/instrument.ts')}`,
  MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
}

/** What the operation passes on its way, and how often each; and what happened to go on beside it. */
async function recordingOf(operation: string, service: TestService): Promise<Map<string, number>> {
  rmSync(recorded, { force: true })
  const deed = await OPERATIONS[operation]!(service)
  expect((await deed.act(service, { [HEADER]: 'record' })).status, operation).toBeLessThan(300)
  expect(await deed.hasHappened(service), operation).toBe(true)
  return new Map(JSON.parse(readFileSync(recorded, 'utf8')) as [string, number][])
}

/** What was passed both times, the first and the last time that it was. */
function pointsOf(one: Map<string, number>, other: Map<string, number>): Point[] {
  return [...one].flatMap(([name, count]) => {
    const [at, moment] = name.split(' ') as [string, Moment]
    const last = Math.min(count, other.get(name) ?? 0)
    const times = last > 1 ? [1, last] : last === 1 ? [1] : []
    return times.map((time) => ({ at, moment, time }))
  })
}

/** As many as asked for, from the whole length of it. */
function someOf(points: Point[], count: number): Point[] {
  const wanted = Math.min(count, points.length)
  return Array.from({ length: wanted }, (_, i) => points[Math.floor(((i + 0.5) * points.length) / wanted)]!)
}

const operations = Object.keys(OPERATIONS).filter((_, i) => POINTS > 1 || i % 2 === 0)
const dataDir = freshDataDir()
const points = new Map<string, Point[]>()
let service: TestService

beforeAll(async () => {
  const recordAll = async () => {
    service = await startService({ dataDir, env: ENV })
    const found = new Map<string, Map<string, number>>()
    for (const operation of operations) found.set(operation, await recordingOf(operation, service))
    return found
  }
  const first = await recordAll()
  // What only a first start does is not in the second recording.
  await service.stop()
  const second = await recordAll()
  for (const one of operations) points.set(one, pointsOf(first.get(one)!, second.get(one)!))
})
afterAll(async () => {
  await service.stop()
  for (const folder of [dataDir, scratch]) discard(folder)
})

// Those that the short form leaves out are said to be left out.
for (const operation of Object.keys(OPERATIONS))
  test.skipIf(!operations.includes(operation))(
    `${operation}, killed at each await before it is acknowledged`,
    {
      timeout: POINTS === 1 ? 180_000 : 3_600_000,
    },
    async () => {
      const all = points.get(operation)!
      expect(all.length).toBeGreaterThan(8)
      const wanted = Math.min(POINTS, all.length)
      let killed = 0
      // What happens beside a request is not the same each time: another point is taken for one that is not passed.
      for (const point of someOf(all, 3 * wanted)) {
        if (killed === wanted) break
        const deed = await OPERATIONS[operation]!(service)
        const answer = await deed.act(service, { [HEADER]: written(point) }).catch(() => undefined)
        if (!answer) {
          killed++
          await service.kill()
          service = await startService({ dataDir, env: ENV })
        }
        const happened = await deed.hasHappened(service)
        if (answer) expect(happened).toBe(true)
        if (!happened) {
          expect((await deed.act(service)).status, `repeated after ${written(point)}`).toBeLessThan(300)
          expect(await deed.hasHappened(service), written(point)).toBe(true)
        }
      }
      expect(killed).toBeGreaterThan(wanted / 2)
    },
  )

test('nothing is left behind, but for uploads that nobody completed, which have their time', async () => {
  await service.stop()
  service = await startService({ dataDir, env: { ...ENV, MARQUEE_SWEEP_INTERVAL: '1' } })
  const isStray = (file: string) => !/\/(media|incoming|incoming-pieces)\//.test(file)
  await expect.poll(() => objectsOnDisk(dataDir).filter(isStray), { interval: 500 }).toEqual([])
})
