import { afterAll, describe } from 'vitest'
import { openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'
import { findClickHouseCluster, makeLock, newDatabase } from './clickhouse-cluster.ts'
import { describeEngine } from './engine.contract.ts'

const found = findClickHouseCluster()

describe.skipIf('missing' in found)('ClickHouse', () => {
  if ('missing' in found) return
  afterAll(() => found.destroy())

  describeEngine('two shards', async () => ({
    engine: await openClickHouse({ ...found, database: newDatabase(), lock: makeLock() }),
  }))
  describeEngine('one server', async () => ({
    engine: await openClickHouse({
      ...found,
      urls: found.urls.slice(0, 1),
      cluster: undefined,
      database: newDatabase(),
      lock: makeLock(),
    }),
  }))
})
