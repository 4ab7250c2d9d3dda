import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'
import { makeLock, newDatabase } from '../events/clickhouse-cluster.ts'
import { describeEngine } from '../events/engine.contract.ts'
import { EVER, lineOf, loadAll, makeSpool, newOrganization } from '../events/engine-contract/spooled.ts'
import { startChdb } from '../support/chdb/start.ts'

// Of its libraries the registry has the one for this architecture only.
describe.skipIf(process.arch !== 'x64')('chdb', () => {
  let chdb: Awaited<ReturnType<typeof startChdb>>
  beforeAll(async () => {
    chdb = await startChdb()
  }, 600_000)
  afterAll(() => chdb?.stop())

  const open = (database = newDatabase()) =>
    openClickHouse({ shards: [[chdb.url]], user: 'default', password: '', database, lock: makeLock() })

  describeEngine('ClickHouse of today', async () => ({ engine: await open() }))

  test('a batch that comes again, because what was written down of it is lost, counts once', async () => {
    const database = newDatabase()
    const engine = await open(database)
    const [organization, spool] = [newOrganization(), await makeSpool()]
    onTestFinished(() => spool.remove())
    const event = { kind: 'engagement' as const, time: 1_700_000_000_000_000, viewer: 'one', fields: {} }
    const line = lineOf(organization, { events: [event] })
    const chunk = await spool.write([line, { ...line, request: 'once' }])
    await loadAll(engine, chunk)
    const count = async () => (await engine.realtime({ organization }, EVER)).kinds[0]?.count
    expect(await count()).toBe(2)
    const forget = `truncate table ${database}.batches`
    expect((await fetch(chdb.url, { method: 'POST', body: forget })).status).toBe(200)
    expect(await engine.position(spool.name)).toBeUndefined()
    await loadAll(engine, chunk)
    expect(await count()).toBe(2)
  })
})
