import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { billingElsewhere } from './billing/forward-webhook.ts'
import type { BillingComponent } from './billing/port.ts'
import { readPrices, readProviders } from './billing/providers.ts'
import { billingInProcess } from './billing/receive-webhook.ts'
import type { Config } from './config.ts'
import { openDuckDb } from './platform/events/duckdb/open-duckdb.ts'
import { startFeeder } from './platform/events/feeder.ts'
import { openEventLog } from './platform/events/open-event-log.ts'
import { joinPeers } from './platform/events/peers.ts'
import type { EventEngine, EventLog } from './platform/events/port.ts'
import { openSpool } from './platform/events/spool/open-spool.ts'
import { memoryLimiter } from './platform/limits/memory.ts'
import type { Clock, Limiter } from './platform/limits/port.ts'
import { openDiskStore } from './platform/objects/disk.ts'
import type { ObjectStore } from './platform/objects/port.ts'
import { connect, lockWhile, type Sql } from './platform/postgres/client.ts'
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

export interface Events {
  log: EventLog
  /** Bytes that are taken and not yet in the engine. */
  waiting(): number
  close(): Promise<void>
}

// Small enough to be forgotten piece by piece, large enough that a week is not a folder of thousands.
const SEGMENT = { segmentBytes: 64 * 2 ** 20, segmentSeconds: 3600 }
const LOAD_EVERY_SECONDS = 1

/** Events in a spool and from there in the engine. */
export async function openEvents(
  config: Config,
  { sql, onTrouble }: { sql: Sql; onTrouble: (message: string) => void },
): Promise<Events> {
  const folder = path.join(config.dataDir, 'events')
  const spool = await openSpool(path.join(folder, 'spool'), { ...SEGMENT, maxBytes: config.spoolLimit })
  const isShared = config.clickhouseUrls.length > 0
  const engine = isShared ? await openCluster(config, sql) : openEmbedded(config, folder, onTrouble)
  const feeder = startFeeder(spool, engine, {
    seconds: LOAD_EVERY_SECONDS,
    keepSeconds: config.spoolKeep,
    keepBytes: config.spoolLimit / 2,
    onTrouble: (error) => onTrouble(`events are kept, but cannot be loaded now: ${error.message}`),
  })
  const peers = isShared
    ? await joinPeers(sql, {
        spool: spool.id,
        flush: feeder.flush,
        onError: (error) =>
          onTrouble(`other processes cannot be told of events: ${(error as Error).message}`),
      })
    : undefined
  return {
    log: openEventLog({
      spool,
      engine,
      feeder,
      askPeers: peers?.askPeers,
      patienceSeconds: config.eventsPatience,
    }),
    waiting: feeder.waiting,
    async close() {
      await feeder.close()
      await peers?.leave()
      await spool.close()
      await engine.close()
    },
  }
}

/** DuckDB in the data folder. */
function openEmbedded(config: Config, folder: string, onTrouble: (message: string) => void): EventEngine {
  const file = path.join(folder, 'events.duckdb')
  const threads = os.availableParallelism()
  const engine = openDuckDb({ file, memoryBytes: config.eventsMemory, threads, onTrouble })
  // Not needed before the first event; but a file that is there is looked through at once.
  if (existsSync(file)) engine.check().catch((error: Error) => onTrouble(error.message))
  return engine
}

/** ClickHouse, which all processes share. */
async function openCluster(config: Config, sql: Sql): Promise<EventEngine> {
  const { openClickHouse } = await import('./platform/events/clickhouse/engine.ts')
  return openClickHouse({
    urls: config.clickhouseUrls,
    cluster: config.clickhouseCluster,
    database: config.clickhouseDatabase,
    user: config.clickhouseUser,
    password: config.clickhousePassword ?? '',
    lock: (work) => lockWhile(sql, 'marquee events', work),
  })
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
