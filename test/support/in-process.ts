import { afterAll, onTestFinished } from 'vitest'
import { firstStart, newSeed, type Seed } from '../../server/access/installation/first-start.ts'
import { issueToken } from '../../server/access/tokens/sessions.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { loadConfig } from '../../server/config/config.ts'
import { drain, openListener, portOf, takeOver } from '../../server/http/listener.ts'
import type { Clock } from '../../server/platform/limits/port.ts'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { addressesOf } from '../../server/start/addresses.ts'
import { composeService, type Service } from '../../server/start/compose.ts'
import { openDatabase } from '../../server/start/engines/database.ts'
import { type Api, apiOf, key } from './api.ts'
import { emptyService } from './empty-service.ts'
import { createDatabase } from './postgres.ts'
import { discard, emptyDataDir, NO_TRASH } from './service.ts'

export interface InProcess {
  url: string
  dataDir: string
  api: Api
  sql: Sql
  seed: Seed
  service: Service
  /** An access token for a user of this address. */
  tokenFor(email: string): Promise<string>
}

interface ComposeOptions {
  env?: Record<string, string>
  /** A clock that the test moves; it has a service of its own then. */
  clock?: Clock
  /** A service that no test before it has used: for tests of what is counted for a whole service. */
  fresh?: boolean
}

interface Composed {
  settings: string
  url: string
  dataDir: string
  sql: Sql
  service: Service
  isInUse: boolean
  close(): Promise<void>
}

/** One service for each file: tests with the same settings use it in turn, each with nothing in it. */
let shared: Composed | undefined
afterAll(() => shared?.close())

/** The service composed in the test's own process, as after a first start: to look inside. */
export async function composeForTest(options: ComposeOptions = {}): Promise<InProcess> {
  const composed =
    options.clock || options.fresh || shared?.isInUse
      ? await ownService(options)
      : await sharedService(options)
  const { url, dataDir, sql, service } = composed
  const seed = newSeed()
  await firstStart(() => seed, sql)
  return {
    url,
    dataDir,
    api: apiOf(url, key(seed.api_key)),
    sql,
    seed,
    service,
    tokenFor: (email) =>
      issueToken(OPERATOR, { email, lifetimeSeconds: 3600 }, { sql, issuer: service.issuer }),
  }
}

async function ownService(options: ComposeOptions): Promise<Composed> {
  const composed = await compose(options)
  onTestFinished(() => composed.close())
  return composed
}

async function sharedService(options: ComposeOptions): Promise<Composed> {
  const settings = JSON.stringify(options.env ?? {})
  if (shared && (shared.settings !== settings || !(await emptyService(shared)))) {
    await shared.close()
    shared = undefined
  }
  shared ??= await compose(options)
  shared.isInUse = true
  onTestFinished(() => {
    shared!.isInUse = false
  })
  return shared
}

async function compose({ env = {}, clock }: ComposeOptions): Promise<Composed> {
  const dataDir = emptyDataDir()
  const created = await createDatabase()
  const config = loadConfig({
    MARQUEE_DATA_DIR: dataDir,
    MARQUEE_DATABASE_URL: created.url,
    // What is answered 500 without a test meaning it is to be read in its output.
    MARQUEE_LOG_LEVEL: 'error',
    // Nobody is there: a test asks nothing of the world outside.
    MARQUEE_DNS_SERVERS: '127.0.0.1:1',
    ...NO_TRASH,
    ...env,
  })
  const listener = await openListener({ host: '127.0.0.1', port: 0, requestTimeoutSeconds: 30 })
  const database = await openDatabase(config, () => {})
  const { sql } = database
  await migrate(sql)
  const addresses = addressesOf(config, portOf(listener))
  const service = await composeService(config, { sql, addresses, clock })
  takeOver(listener, service.handler, service.logUnheard)
  return {
    settings: JSON.stringify(env),
    url: `http://127.0.0.1:${portOf(listener)}`,
    dataDir,
    sql,
    service,
    isInUse: false,
    async close() {
      await drain(listener, 1)
      await service.close()
      await database.close()
      await created.drop()
      discard(dataDir)
    },
  }
}
