import { afterAll, beforeAll } from 'vitest'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { startPostgres } from '../support/postgres.ts'
import { helpingContract } from './helping.contract.ts'
import { jobsContract } from './jobs.contract.ts'
import { jobsIn } from './jobs-workbench.ts'
import { leasesContract } from './leases.contract.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
  await migrate(postgres.sql)
})
afterAll(() => postgres.stop())

const adapter = jobsIn(() => postgres.sql)
jobsContract('PostgreSQL', adapter)
leasesContract('PostgreSQL', adapter)
helpingContract('PostgreSQL', adapter)
