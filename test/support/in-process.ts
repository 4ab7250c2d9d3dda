import { onTestFinished } from 'vitest'
import { firstStart, newSeed, type Seed } from '../../server/access/installation/first-start.ts'
import { issueToken } from '../../server/access/tokens/issue-token.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { addressesOf, composeService, type Service } from '../../server/compose.ts'
import { loadConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/engines/database.ts'
import { drain, openListener, portOf, takeOver } from '../../server/http/listener.ts'
import type { Clock } from '../../server/platform/limits/port.ts'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { type Api, apiOf, key } from './api.ts'
import { discard, freshDataDir, NO_TRASH } from './service.ts'

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

/** The service composed in the test's own process: for a clock that the test moves, and to look inside. */
export async function composeForTest(
  options: { env?: Record<string, string>; clock?: Clock } = {},
): Promise<InProcess> {
  const dataDir = freshDataDir()
  const config = loadConfig({
    MARQUEE_DATA_DIR: dataDir,
    MARQUEE_LOG_LEVEL: 'fatal',
    // Nobody is there: a test asks nothing of the world outside.
    MARQUEE_DNS_SERVERS: '127.0.0.1:1',
    ...NO_TRASH,
    ...options.env,
  })
  const listener = await openListener({ host: '127.0.0.1', port: 0, requestTimeoutSeconds: 30 })
  const database = await openDatabase(config, () => {})
  const { sql } = database
  await migrate(sql)
  const seed = newSeed()
  await firstStart(() => seed, sql)
  const addresses = addressesOf(config, portOf(listener))
  const service = await composeService(config, { sql, addresses, clock: options.clock })
  takeOver(listener, service.handler, service.logUnheard)
  onTestFinished(async () => {
    await drain(listener, 1)
    await service.close()
    await database.close()
    discard(dataDir)
  })
  const url = `http://127.0.0.1:${portOf(listener)}`
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
