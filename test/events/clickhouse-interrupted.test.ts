import { afterAll, describe } from 'vitest'
import { openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'
import { findClickHouseCluster, makeLock, newDatabase } from './clickhouse-cluster.ts'
import { describeInterrupts } from './interrupted.contract.ts'

const ORGANIZATION = 'endless'
const found = findClickHouseCluster()

describe.skipIf('missing' in found)('ClickHouse', () => {
  if ('missing' in found) return
  afterAll(() => found.destroy())

  describeInterrupts('two shards of ClickHouse', async () => {
    const database = newDatabase()
    const engine = await openClickHouse({ ...found, database, lock: makeLock() })
    for (const server of [0, 1])
      for (const statement of [
        `rename table ${database}.events to ${database}.kept`,
        `create view ${database}.events as select '${ORGANIZATION}' as organization, 'project' as project,
          toInt64(number % 1000) as time, toInt64(number % 1000) as arrival, 'error' as kind,
          toNullable('ann') as viewer, toNullable('no') as country, toNullable('') as page,
          toNullable('') as content_id from system.numbers`,
      ]) {
        const answer = await found.ask(server, statement)
        if (answer !== '') throw new Error(answer)
      }
    const running = `select count() from system.processes
      where position(query, '${database}') > 0 and position(query, 'system.processes') = 0`
    return {
      engine,
      scope: { organization: ORGANIZATION },
      isBusy: async () => {
        const counts = await Promise.all([0, 1].map((server) => found.ask(server, running)))
        return counts.some((count) => count !== '0')
      },
    }
  })
})
