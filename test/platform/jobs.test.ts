import { afterAll, beforeAll } from 'vitest'
import { postgresJobs } from '../../server/platform/jobs/postgres.ts'
import { jobRecords } from '../../server/platform/jobs/records.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { startPostgres } from '../support/postgres.ts'
import { helpingContract } from './helping.contract.ts'
import { jobsContract } from './jobs.contract.ts'
import type { JobsUnderTest } from './jobs-workbench.ts'
import { leasesContract } from './leases.contract.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
  await migrate(postgres.sql)
})
afterAll(() => postgres.stop())

const adapter: JobsUnderTest = {
  sql: () => postgres.sql,
  open: (queues, leaseSeconds) =>
    postgresJobs(postgres.sql, { queues, leaseSeconds, pollSeconds: 0.02, onError: () => {} }),
  records: (queues) => jobRecords(postgres.sql, queues),
  async expireLeases(queue) {
    await postgres.sql`update jobs set due_at = now() where queue = ${queue} and attempts = 1`
  },
  async skipPauses(queue) {
    await postgres.sql`update jobs set due_at = now() where queue = ${queue} and owner is null`
  },
  async pretendKilled(queue, times) {
    await postgres.sql`update jobs set attempts = ${times}, owner = 'killed', due_at = now() where queue = ${queue}`
  },
}

jobsContract('PostgreSQL', adapter)
leasesContract('PostgreSQL', adapter)
helpingContract('PostgreSQL', adapter)
