import { billingElsewhere } from './billing/forward-webhook.ts'
import type { BillingComponent } from './billing/port.ts'
import { readPrices, readProviders } from './billing/providers.ts'
import { billingInProcess } from './billing/receive-webhook.ts'
import type { Config } from './config.ts'
import { memoryLimiter } from './platform/limits/memory.ts'
import type { Clock, Limiter } from './platform/limits/port.ts'
import { openDiskStore } from './platform/objects/disk.ts'
import type { ObjectStore } from './platform/objects/port.ts'
import { connect, type Sql } from './platform/postgres/client.ts'
import { embeddedSocket, startEmbeddedPostgres } from './platform/postgres/embedded.ts'

export interface Database {
  sql: Sql
  close(): Promise<void>
}

/** A PostgreSQL by address, or the embedded one, started here. */
export async function openDatabase(config: Config, onTrouble: (message: string) => void): Promise<Database> {
  if (config.databaseUrl) return connectDatabase(config)
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    user: config.databaseUser,
    onTrouble,
  })
  const { sql, close } = connectDatabase(config)
  return {
    sql,
    async close() {
      await close()
      await server.stop()
    },
  }
}

/** A database that runs already. */
export function connectDatabase(config: Config): Database {
  const address = config.databaseUrl
    ? { url: config.databaseUrl }
    : { socket: embeddedSocket(config.dataDir) }
  const sql = connect(address, { max: config.databaseConnections })
  return { sql, close: () => sql.end({ timeout: 5 }) }
}

/** Media in a bucket, or in the data folder, where this process is the only one to write. */
export async function openObjects(config: Config): Promise<ObjectStore> {
  if (config.s3Bucket) {
    const { openS3Store } = await import('./platform/objects/s3.ts')
    const { s3AccessKey: accessKeyId, s3SecretKey: secretAccessKey } = config
    return openS3Store({
      bucket: config.s3Bucket,
      region: config.s3Region,
      endpoint: config.s3Endpoint,
      publicEndpoint: config.s3PublicEndpoint,
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
      forcePathStyle: config.s3PathStyle === 'true',
      createBucket: true,
    })
  }
  const objects = await openDiskStore(config.dataDir)
  await objects.sweepTemporary(0)
  return objects
}

/** Counts shared by all processes, or each process's own. */
export async function openLimiter({ redisUrl }: Config, clock: Clock): Promise<Limiter> {
  if (!redisUrl) return memoryLimiter(clock)
  // Loaded only where it is used: a client library is memory that an embedded install need not spend.
  const { redisLimiter } = await import('./platform/limits/redis.ts')
  return redisLimiter(redisUrl, clock)
}

/** What webhooks are passed to: in this process, or behind the address that is configured. */
export async function openBilling(
  config: Config,
  sql: Sql,
  onError: (error: unknown) => void,
): Promise<BillingComponent> {
  if (config.billingUrl)
    return billingElsewhere({ url: config.billingUrl, secret: config.billingInternalSecret!, onError })
  return openBillingHere(config, sql, onError)
}

export async function openBillingHere(
  config: Config,
  sql: Sql,
  onError: (error: unknown) => void,
): Promise<BillingComponent> {
  return billingInProcess({
    sql,
    providers: await readProviders(config.billingProviders, config.billingSecrets),
    prices: readPrices(config.billingPrices),
    graceSeconds: config.billingGrace,
    onError,
  })
}
