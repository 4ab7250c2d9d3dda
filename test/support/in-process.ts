import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, inject, onTestFinished } from 'vitest'
import { firstStart, newSeed, type Seed } from '../../server/access/installation/first-start.ts'
import { issueToken } from '../../server/access/tokens/sessions.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { loadConfig } from '../../server/config/config.ts'
import { drain, openListener, portOf, takeOver } from '../../server/http/listener.ts'
import type { Clock } from '../../server/platform/limits/port.ts'
import type { ObjectStore } from '../../server/platform/objects/port.ts'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { addressesOf } from '../../server/start/addresses.ts'
import { composeService, type Service } from '../../server/start/compose.ts'
import { openDatabase } from '../../server/start/engines/database.ts'
import { type Api, apiOf, key } from './api.ts'
import { emptyService } from './empty-service.ts'
import { filesBelow } from './media.ts'
import { createDatabase } from './postgres.ts'
import { composeSeveral } from './scale/compose-several.ts'
import { discard, emptyDataDir, NO_TRASH, root } from './service.ts'
import { mediaOnDisk, type StoredMedia } from './stored-media.ts'

export interface InProcess {
  url: string
  dataDir: string
  api: Api
  sql: Sql
  media: StoredMedia
  seed: Seed
  service: Service
  /** An access token for a user of this address. */
  tokenFor(email: string): Promise<string>
}

export interface ComposeOptions {
  env?: Record<string, string>
  /** A clock that the test moves; it has a service of its own then. */
  clock?: Clock
  /** A service that no test before it has used: for tests of what is counted for a whole service. */
  fresh?: boolean
}

export interface Composed {
  settings: string
  url: string
  dataDir: string
  /** The same, where it is to be emptied between tests. */
  folder?: string
  /** Where media is that is to be emptied so. */
  store?: ObjectStore
  media: StoredMedia
  sql: Sql
  service: Service
  isInUse: boolean
  close(): Promise<void>
}

/** Less than a hook has. */
const CLOSING_MS = 100_000

/** One service for each file: tests with the same settings use it in turn, each with nothing in it. */
let shared: Composed | undefined
afterAll(() => shared?.close())

/**
 * The service as after a first start. It is composed in the test's own process, to look inside, unless the run has engines
 * by address: then it is several processes behind a proxy.
 */
export async function composeForTest(options: ComposeOptions = {}): Promise<InProcess> {
  const composed =
    options.clock || options.fresh || shared?.isInUse
      ? await ownService(options)
      : await sharedService(options)
  const { url, sql, media, service } = composed
  const seed = newSeed()
  await firstStart(() => seed, sql)
  const made: Omit<InProcess, 'dataDir'> = {
    url,
    api: apiOf(url, key(seed.api_key)),
    sql,
    media,
    seed,
    service,
    tokenFor: (email) =>
      issueToken(OPERATOR, { email, lifetimeSeconds: 3600 }, { sql, issuer: service.issuer }),
  }
  // Who asks for it ends a test of several processes; to have all that there is does not.
  const isOneFolder = composed.folder !== undefined
  return Object.defineProperty(made as InProcess, 'dataDir', {
    get: () => composed.dataDir,
    enumerable: isOneFolder,
  })
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

function compose(options: ComposeOptions): Promise<Composed> {
  return inject('engines') ? composeSeveral(options) : composeHere(options)
}

async function composeHere({ env = {}, clock }: ComposeOptions): Promise<Composed> {
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
  if (config.roles.includes('api') && !config.s3Bucket) await packagesKept(dataDir)
  return {
    settings: JSON.stringify(env),
    url: `http://127.0.0.1:${portOf(listener)}`,
    dataDir,
    folder: dataDir,
    media: mediaOnDisk(dataDir),
    sql,
    service,
    isInUse: false,
    async close() {
      await inTime('its listener', drain(listener, 1), sql)
      await inTime('the service', service.close(), sql)
      await inTime('its connections to the database', database.close(), sql)
      await inTime('its database', created.drop(), sql)
      discard(dataDir)
    },
  }
}

/** A test's hook that takes too long does not say what it waits for. */
async function inTime(what: string, closing: Promise<unknown>, sql: Sql): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    const tell = async () => {
      const statements = await sql`
        select state, wait_event, now() - query_start as since, left(query, 200) as query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.catch(String)
      const holding = JSON.stringify([process.getActiveResourcesInfo(), statements])
      reject(new Error(`${what} did not close in ${CLOSING_MS} ms: ${holding}`))
    }
    timer = setTimeout(tell, CLOSING_MS)
  })
  await Promise.race([closing, late]).finally(() => clearTimeout(timer))
}

/** What a start keeps of the packages is there before a test looks at the disk, or empties it. */
async function packagesKept(dataDir: string): Promise<void> {
  const packages = readdirSync(path.join(root, 'packages')).length
  const areThere = () => filesBelow(path.join(dataDir, 'objects/sdk')).length === packages
  for (const deadline = Date.now() + 5000; !areThere() && Date.now() < deadline; ) await sleep(10)
}
