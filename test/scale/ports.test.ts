import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'
import { redisLimiter } from '../../server/platform/limits/redis.ts'
import { openS3Store } from '../../server/platform/objects/s3.ts'
import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { makeLock, newDatabase } from '../events/clickhouse-cluster.ts'
import { describeEngine } from '../events/engine.contract.ts'
import { helpingContract } from '../platform/helping.contract.ts'
import { jobsContract } from '../platform/jobs.contract.ts'
import { jobsIn } from '../platform/jobs-workbench.ts'
import { leasesContract } from '../platform/leases.contract.ts'
import { limiterContract } from '../platform/limits.contract.ts'
import { objectStoreContract } from '../platform/objects.contract.ts'
import { newBucket } from '../platform/objects-s3-server.ts'
import { createDatabase } from '../support/postgres.ts'
import { CONTRACT_REDIS_DATABASE } from '../support/scale/installation.ts'

// What each port promises, of the engines that all stories of this lane stand on.

const { redis, s3, clickHouse } = inject('engines')!

describe("jobs in Debian's PostgreSQL", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let sql: Sql
  beforeAll(async () => {
    database = await createDatabase()
    sql = connect({ url: database.url }, { max: 4 })
  })
  afterAll(async () => {
    await sql.end()
    await database.drop()
  })
  const adapter = jobsIn(() => sql)
  jobsContract('PostgreSQL', adapter)
  leasesContract('PostgreSQL', adapter)
  helpingContract('PostgreSQL', adapter)
})

describe('objects in Ceph', () => {
  const options = { ...s3, bucket: newBucket(), forcePathStyle: true, createBucket: true }
  objectStoreContract(() => openS3Store(options))
})

describe('limits in a Redis that others count in', () => {
  const url = `${redis}/${CONTRACT_REDIS_DATABASE}`
  limiterContract('redis', async (clock) => {
    const client = new Redis(url)
    await client.flushdb()
    client.disconnect()
    return redisLimiter(url, clock)
  })
})

describeEngine('the cluster of the lane', async () => ({
  engine: await openClickHouse({
    ...clickHouse,
    shards: clickHouse.urls.map((url) => [url]),
    database: newDatabase(),
    lock: makeLock(),
  }),
}))
