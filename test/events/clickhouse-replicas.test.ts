import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ClickHouseOptions, openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'
import type { EventEngine } from '../../server/platform/events/port.ts'
import { findClickHouseCluster, makeLock, newDatabase } from './clickhouse-cluster.ts'
import { CUTS, cuttingProxies } from './cutting-proxy.ts'
import { describeEngine } from './engine.contract.ts'
import { EVER, lineOf, loadAll, loadLines, makeSpool, newOrganization } from './engine-contract/spooled.ts'

const found = findClickHouseCluster(2)

describe.skipIf('missing' in found)('ClickHouse with replicas', () => {
  if ('missing' in found) return
  afterAll(() => found.destroy())

  // Whom an engine asks first is its own: addresses that are shared would change their order for others.
  const shards = (of = found.shards) => of.map((replicas) => [...replicas])
  const open = (options: Partial<ClickHouseOptions> = {}) =>
    openClickHouse({ ...found, shards: shards(), database: newDatabase(), lock: makeLock(), ...options })

  describeEngine('two shards of two replicas', async () => ({ engine: await open() }))

  const shared = { database: newDatabase(), lock: makeLock() }
  let engine: EventEngine
  beforeAll(async () => {
    engine = await open(shared)
  })
  const crowd = (organization: string, size: number, request?: string) =>
    lineOf(organization, {
      request,
      events: Array.from({ length: size }, (_, i) => ({
        kind: 'engagement' as const,
        time: 1_700_000_000_000_000 + i,
        viewer: `viewer ${i}`,
        fields: {},
      })),
    })
  const viewers = async (organization: string, of = engine) =>
    (await of.realtime({ organization }, EVER)).viewers
  const count = async (organization: string, of = engine) =>
    (await of.realtime({ organization }, EVER)).kinds.reduce((sum, { count }) => sum + count, 0)
  const countOn = async (server: number, organization: string) =>
    Number(
      await found.ask(
        server,
        `select count() from ${shared.database}.events where organization = '${organization}'`,
      ),
    )

  /** Of what only one has, nothing is answered while that one is away. */
  const caughtUp = async () => {
    for (const server of [0, 1, 2, 3])
      for (const table of ['events', 'batches', 'requests'])
        expect(await found.ask(server, `system sync replica ${shared.database}.${table}`)).toBe('')
  }

  test('what is loaded is on both replicas of its shard', async () => {
    const organization = newOrganization()
    await loadLines(engine, [crowd(organization, 1000)])
    const counts = await Promise.all([0, 1, 2, 3].map((server) => countOn(server, organization)))
    expect(counts[0]! + counts[2]!).toBe(1000)
    expect(counts[0]).toBeGreaterThan(400)
    expect([counts[1], counts[3]]).toEqual([counts[0], counts[2]])
  })

  test('with one replica of each shard, and then with the other, everything is loaded and answered', async () => {
    const organization = newOrganization()
    const spool = await makeSpool()
    onTestFinished(async () => {
      found.start()
      await spool.remove()
    })
    for (const [round, gone] of [
      [1, 4],
      [2, 3],
      [1, 3],
    ].entries()) {
      for (const server of gone) found.kill(server)
      await loadAll(engine, await spool.write([crowd(organization, 100, `request ${round}`)]))
      expect(await count(organization)).toBe((round + 1) * 100)
      // Opened while they are away, from what the other one has.
      const opened = await open(shared)
      onTestFinished(() => opened.close())
      expect(await count(organization, opened)).toBe((round + 1) * 100)
      found.start()
      await caughtUp()
    }
    // Those that were away have everything once they are asked.
    const again = await open({ ...shared, shards: shards().map((replicas) => replicas.toReversed()) })
    onTestFinished(() => again.close())
    expect(await count(organization, again)).toBe(300)
  })

  test.each(CUTS)(
    'a connection to a replica is cut at any request, %s: the other is asked, each line counts once',
    async (cut) => {
      const proxies = await cuttingProxies(found.shards.map(([first]) => first!))
      onTestFinished(() => proxies.close())
      let number = 0
      for (let hasCut = true; hasCut; number++) {
        const cutOff = await open({
          ...shared,
          shards: found.shards.map(([, second], shard) => [proxies.urls[shard]!, second!]),
        })
        const [organization, spool] = [newOrganization(), await makeSpool()]
        const line = crowd(organization, 20, `request ${number}`)
        const chunk = await spool.write([line, line])
        proxies.cutNext(number, cut)
        await loadAll(cutOff, chunk)
        hasCut = proxies.hasCut()
        expect(await count(organization), `request ${number} cut ${cut}`).toBe(20)
        await cutOff.close()
        await spool.remove()
      }
      expect(number).toBeGreaterThan(10)
    },
  )

  test('a batch that is sent again to the other replica counts once', async () => {
    const organization = newOrganization()
    const spool = await makeSpool()
    onTestFinished(() => spool.remove())
    const chunk = await spool.write([crowd(organization, 50)])
    await loadAll(engine, chunk)
    // As if nobody had written down that it is there.
    for (const server of [0, 1])
      await found.ask(server, `alter table ${shared.database}.batches delete where spool = '${spool.name}'`)
    await expect
      .poll(() =>
        found.ask(0, `select count() from ${shared.database}.batches where spool = '${spool.name}'`),
      )
      .toBe('0')
    const other = await open({ ...shared, shards: shards().map((replicas) => replicas.toReversed()) })
    onTestFinished(() => other.close())
    expect(await other.position(spool.name)).toBeUndefined()
    await loadAll(other, chunk)
    expect(await count(organization)).toBe(50)
    expect(await viewers(organization)).toBe(50)
  })

  test('what is erased is gone from every replica, and is waited for where one is away', async () => {
    const organization = newOrganization()
    await loadLines(engine, [crowd(organization, 100)])
    found.kill(2)
    await expect(engine.erase({ organization, project: 'project' })).rejects.toThrow('no answer')
    found.start()
    await engine.erase({ organization, project: 'project' })
    expect(await Promise.all([0, 1, 2, 3].map((server) => countOn(server, organization)))).toEqual([
      0, 0, 0, 0,
    ])
  })

  test('a configuration that does not fit is refused with what to do about it', async () => {
    const first = found.shards.map(([url]) => [url!])
    await expect(open({ shards: first })).rejects.toThrow('give those of all its replicas')
    await expect(open({ shards: shards().toReversed() })).rejects.toThrow('in the order of its shards')
    const database = newDatabase()
    for (const server of [0, 1, 2, 3]) {
      await found.ask(server, `create database ${database}`)
      await found.ask(server, `create table ${database}.events (a Int64) engine = MergeTree order by a`)
    }
    await expect(open({ database })).rejects.toThrow('are kept without replicas')
  })

  test('a shard without any replica gives no report', async () => {
    for (const server of [3, 4]) found.kill(server)
    const organization = newOrganization()
    await expect(engine.activity({ organization }, EVER, 'day')).rejects.toThrow('ClickHouse')
    found.start()
    expect(await engine.activity({ organization }, EVER, 'day')).toEqual([])
  })
})
