import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ClickHouseOptions, openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'
import { EventsUnavailable } from '../../server/platform/events/errors.ts'
import type { EventLine } from '../../server/platform/events/line.ts'
import type { EventEngine } from '../../server/platform/events/port.ts'
import { findClickHouseCluster, makeLock, newDatabase } from './clickhouse-cluster.ts'
import { CUTS, cuttingProxies } from './cutting-proxy.ts'
import { describeEngine } from './engine.contract.ts'
import { EVER, lineOf, loadAll, loadLines, makeSpool, newOrganization } from './engine-contract/spooled.ts'

const found = findClickHouseCluster()
const KILLS = process.env.MARQUEE_TEST_LONG ? 40 : 2

describe.skipIf('missing' in found)('ClickHouse', () => {
  if ('missing' in found) return
  afterAll(() => found.destroy())

  describeEngine('two shards of ClickHouse', async () => ({
    engine: await openClickHouse({ ...found, database: newDatabase(), lock: makeLock() }),
  }))

  const shared: ClickHouseOptions = { ...found, database: newDatabase(), lock: makeLock() }
  let engine: EventEngine
  beforeAll(async () => {
    engine = await openClickHouse(shared)
  })
  const count = async (organization: string) =>
    (await engine.realtime({ organization }, EVER)).kinds.reduce((sum, { count }) => sum + count, 0)

  /** So many events of as many viewers, who are on all shards. */
  const crowd = (organization: string, size: number, part: Partial<EventLine> = {}) =>
    lineOf(organization, {
      ...part,
      events: Array.from({ length: size }, (_, i) => ({
        kind: 'engagement' as const,
        time: 1_700_000_000_000_000 + i,
        viewer: `viewer ${i}`,
        fields: {},
      })),
    })

  test('one server without a cluster', async () => {
    const alone = await openClickHouse({
      ...shared,
      shards: found.shards.slice(0, 1),
      cluster: undefined,
      database: newDatabase(),
    })
    const organization = newOrganization()
    await loadLines(alone, [crowd(organization, 10)])
    expect((await alone.realtime({ organization }, EVER)).viewers).toBe(10)
  })

  test('both shards hold some of a chunk', async () => {
    const organization = newOrganization()
    await loadLines(engine, [crowd(organization, 1000)])
    const counts = await Promise.all(
      [0, 1].map((server) =>
        found.ask(
          server,
          `select count() from ${shared.database}.events where organization = '${organization}'`,
        ),
      ),
    )
    expect(counts.map(Number).reduce((sum, each) => sum + each)).toBe(1000)
    for (const each of counts) expect(Number(each)).toBeGreaterThan(400)
  })

  test('a configuration that does not fit is refused with what to do about it', async () => {
    const opening = (options: Partial<ClickHouseOptions>) =>
      openClickHouse({ ...shared, database: newDatabase(), ...options })
    await expect(opening({ cluster: undefined })).rejects.toThrow('need the name of their cluster')
    await expect(opening({ cluster: 'none' })).rejects.toThrow(
      `knows no cluster "none", but "${found.cluster}". Check MARQUEE_CLICKHOUSE_CLUSTER`,
    )
    await expect(opening({ shards: found.shards.slice(1) })).rejects.toThrow('give one for each shard')
    await expect(opening({ shards: found.shards.toReversed() })).rejects.toThrow('in the order of its shards')
    await expect(opening({ password: 'wrong' })).rejects.toThrow('ClickHouse answers')
  })

  test('a schema of a newer version is left alone', async () => {
    const database = newDatabase()
    await openClickHouse({ ...shared, database })
    await openClickHouse({ ...shared, database })
    expect(await found.ask(1, `select max(version) from ${database}.versions`)).toBe('2')
    await found.ask(1, `insert into ${database}.versions values (99)`)
    await expect(openClickHouse({ ...shared, database })).rejects.toThrow('of a newer Marquee')
  })

  test('several load at once, from spools of their own', async () => {
    const organization = newOrganization()
    await Promise.all(
      Array.from({ length: 4 }, () =>
        loadLines(engine, [crowd(organization, 5), crowd(organization, 1, { request: 'one of four' })]),
      ),
    )
    expect(await count(organization)).toBe(21)
  })

  test.each(CUTS)('a connection cut at any request of a load, %s: each line is there once', async (cut) => {
    const proxies = await cuttingProxies(found.urls)
    onTestFinished(() => proxies.close())
    const cutOff = await openClickHouse({ ...shared, shards: proxies.urls.map((url) => [url]) })
    let number = 0
    for (; ; number++) {
      const [organization, spool] = [newOrganization(), await makeSpool()]
      const lines = [crowd(organization, 7), crowd(organization, 8, { request: `request ${number}` })]
      const chunk = await spool.write([...lines, lines[1]!])
      proxies.cutNext(number, cut)
      const tried = await cutOff.load(chunk).catch((error) => error)
      const hasCut = proxies.hasCut()
      if (hasCut) expect(tried).toBeInstanceOf(EventsUnavailable)

      // Meanwhile another process loads the same request, and a longer chunk is there for the next try.
      const other = await makeSpool()
      await loadAll(engine, await other.write([lines[1]!]))
      const rest = await spool.write([crowd(organization, 100)])
      await loadAll(engine, { ...chunk, to: rest.to })
      expect(await engine.position(spool.name)).toEqual({ segment: 1, offset: rest.to })
      expect(await count(organization), `request ${number} cut ${cut}`).toBe(115)
      await spool.remove()
      await other.remove()
      if (!hasCut) break
    }
    // Progress, the batch begun, requests (what runs, what counted, writing them down), two shards, the batch done.
    expect(number).toBe(8)
  })

  test('servers killed at random while events are loaded: each is there once', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    let [sent, kills] = [0, 0]
    const killer = (async () => {
      for (; kills < KILLS; kills++) {
        await sleep(50 + Math.random() * 300)
        found.kill(1 + (kills % 2))
        await sleep(Math.random() * 300)
        found.start()
      }
    })()
    while (kills < KILLS) {
      const chunk = await spool.write([
        crowd(organization, 20),
        crowd(organization, 1, { request: `r${sent}` }),
      ])
      sent += 21
      while (!(await loadAll(engine, chunk).catch(expectUnavailable))) await sleep(20)
    }
    await killer
    expect(await count(organization)).toBe(sent)
    await spool.remove()
  })

  test('a loader killed at random, and started again: each event is there once', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const size = 200
    const lines = Array.from({ length: size }, (_, i) =>
      crowd(organization, 20, i % 2 ? { request: `request ${i}` } : {}),
    )
    const chunk = await spool.write(lines)
    const settings = JSON.stringify({ options: shared, chunk, lines: 10 })
    for (let kills = 0; ; kills++) {
      const child = spawn(
        process.execPath,
        [path.join(import.meta.dirname, 'load-until-killed.ts'), settings],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      if (kills === KILLS) {
        expect(await ended).toBe(0)
        break
      }
      await sleep(Math.random() * 300)
      child.kill('SIGKILL')
      await ended
    }
    expect(await engine.position(spool.name)).toEqual({ segment: 1, offset: chunk.to })
    expect(await count(organization)).toBe(size * 20)
    await spool.remove()
  })

  test('while the cluster is away it says so; afterwards everything is loaded', async () => {
    const [organization, spool] = [newOrganization(), await makeSpool()]
    const chunk = await spool.write([crowd(organization, 10)])
    found.stop()
    await expect(engine.load(chunk)).rejects.toBeInstanceOf(EventsUnavailable)
    await expect(engine.position(spool.name)).rejects.toBeInstanceOf(EventsUnavailable)
    await expect(engine.check()).rejects.toBeInstanceOf(EventsUnavailable)
    await expect(engine.realtime({ organization }, EVER)).rejects.toBeInstanceOf(EventsUnavailable)
    const openedMeanwhile = await openClickHouse({ ...shared, database: newDatabase() })
    found.start()
    await loadAll(engine, chunk)
    await engine.check()
    expect(await count(organization)).toBe(10)
    await loadLines(openedMeanwhile, [crowd(organization, 3)])
    expect((await openedMeanwhile.realtime({ organization }, EVER)).viewers).toBe(3)
    await spool.remove()
  })

  test('a report is not given without one of the shards', async () => {
    found.kill(2)
    const organization = newOrganization()
    await expect(engine.activity({ organization }, EVER, 'day')).rejects.toBeInstanceOf(EventsUnavailable)
    await expect(
      engine.funnel({ organization }, EVER, { steps: [{ kind: 'error', fields: {} }] }),
    ).rejects.toBeInstanceOf(EventsUnavailable)
    found.start()
    expect(await engine.activity({ organization }, EVER, 'day')).toEqual([])
  })
})

function expectUnavailable(error: unknown): undefined {
  expect(error).toBeInstanceOf(EventsUnavailable)
}
