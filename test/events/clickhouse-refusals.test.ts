import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'
import { EventsUnavailable } from '../../server/platform/events/errors.ts'
import type { EventLine } from '../../server/platform/events/line.ts'
import type { EventEngine } from '../../server/platform/events/port.ts'
import { findClickHouseCluster, makeLock, newDatabase } from './clickhouse-cluster.ts'
import { CUTS, cuttingProxies } from './cutting-proxy.ts'
import { EVER, lineOf, loadAll, makeSpool, newOrganization, sealed } from './engine-contract/spooled.ts'

const found = findClickHouseCluster()

describe.skipIf('missing' in found)('what ClickHouse refuses', () => {
  if ('missing' in found) return
  afterAll(() => found.destroy())

  /** An engine whose servers take numbers only for where somebody has clicked, which no check of ours knows of. */
  const pickyEngine = async () => {
    const options = { ...found, database: newDatabase(), lock: makeLock() }
    const picky = await openClickHouse(options)
    for (const server of [0, 1])
      await found.ask(server, `alter table ${options.database}.events modify column click_x Nullable(Int64)`)
    return { options, picky }
  }
  const clicks = (organization: string, places: string[], part: Partial<EventLine> = {}) =>
    lineOf(organization, {
      ...part,
      events: places.map((click_x, i) => ({
        kind: 'interaction' as const,
        time: 1_700_000_000_000_000 + i,
        viewer: `viewer ${i}`,
        fields: { click_x },
      })),
    })

  const countIn = async (engine: EventEngine, organization: string) =>
    (await engine.realtime({ organization }, EVER)).kinds.reduce((sum, { count }) => sum + count, 0)

  test('lines that the servers refuse are found among good ones and put aside, and the rest is loaded once', async () => {
    const { options, picky } = await pickyEngine()
    const [organization, spool] = [newOrganization(), await makeSpool()]
    onTestFinished(() => spool.remove())
    const lines = Array.from({ length: 20 }, (_, i) => sealed(clicks(organization, [`${i}`, '1', '2', '3'])))
    // Of one viewer each, and so of one shard; together they are of both.
    const bad = ['left', 'right', 'here', 'there'].map((place, i) =>
      sealed(clicks(organization, [place], { viewer: `somebody ${i}` })),
    )
    lines.splice(3, 0, bad[0]!)
    lines.splice(11, 0, bad[1]!, bad[2]!)
    const chunk = await spool.writeRaw([...lines, bad[3]!])
    const { aside } = await loadAll(picky, chunk)
    expect(aside.map(({ file }) => readFileSync(file, 'utf8')).toSorted()).toEqual(bad.toSorted())
    for (const { reason } of aside) expect(reason).toMatch(/^ClickHouse refuses it: Cannot parse input/)
    expect(await countIn(picky, organization)).toBe(80)
    expect(await picky.position(spool.name)).toEqual({ segment: 1, offset: chunk.to })
    for (const server of [0, 1])
      expect(await found.ask(server, `exists table ${options.database}.trial`)).toBe('0')
  })

  test('a table that is not ours puts no line aside', async () => {
    const { options, picky } = await pickyEngine()
    const [organization, spool] = [newOrganization(), await makeSpool()]
    onTestFinished(() => spool.remove())
    const chunk = await spool.writeRaw([sealed(clicks(organization, ['left', '1', '2', '3']))])
    for (const server of [0, 1])
      await found.ask(server, `alter table ${options.database}.events modify column kind Int64`)
    await expect(picky.load(chunk)).rejects.toThrow('Cannot parse input')
    for (const server of [0, 1]) await found.ask(server, `drop table ${options.database}.events`)
    await expect(picky.load(chunk)).rejects.toThrow('Code: 60')
    expect(existsSync(chunk.aside)).toBe(false)
  })

  test.each(CUTS)(
    'a connection cut at any request of a load that is refused, %s: each good line is there once',
    async (cut) => {
      const proxies = await cuttingProxies(found.urls)
      onTestFinished(() => proxies.close())
      const { options, picky } = await pickyEngine()
      const cutOff = await openClickHouse({ ...options, shards: proxies.urls.map((url) => [url]) })
      let untold = 0
      for (let number = 0; ; number++) {
        const [organization, spool] = [newOrganization(), await makeSpool()]
        const bad = clicks(organization, ['left'])
        const chunk = await spool.write([clicks(organization, ['1', '2', '3', '4', '5']), bad])
        proxies.cutNext(number, cut)
        const tried = await loadAll(cutOff, chunk).catch((error) => error)
        const hasCut = proxies.hasCut()
        if (tried instanceof Error) expect(tried).toBeInstanceOf(EventsUnavailable)
        const { offset, aside } = tried instanceof Error ? await loadAll(picky, chunk) : tried
        expect(offset).toBe(chunk.to)
        if (aside.length === 0) untold++
        const where = `request ${number} cut ${cut}`
        expect(await countIn(picky, organization), where).toBe(5)
        expect(readdirSync(chunk.aside), where).toHaveLength(1)
        await spool.remove()
        if (!hasCut) break
      }
      // Where nothing is missing but the answer that the batch is done, nobody comes back to it.
      expect(untold).toBe(cut === 'after' ? 1 : 0)
    },
  )
})
