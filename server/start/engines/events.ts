import { existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import type { CountedElsewhere } from '../../http/metrics.ts'
import { openDuckDb } from '../../platform/events/duckdb/open-duckdb.ts'
import { startFeeder } from '../../platform/events/feeder.ts'
import { openEventLog } from '../../platform/events/open-event-log.ts'
import { joinPeers, missedErasures } from '../../platform/events/peers.ts'
import type { ErasedEvents, EventEngine, EventLog } from '../../platform/events/port.ts'
import { openSpool } from '../../platform/events/spool/open-spool.ts'
import { eraseAside } from '../../platform/events/spool/set-aside.ts'
import { lockWhile, type Sql } from '../../platform/postgres/client.ts'

export interface Events {
  log: EventLog
  /** Throws where the engine does not answer. The embedded one is not started for that: before the first event nobody misses it. */
  check(): Promise<void>
  metrics: CountedElsewhere[]
  close(): Promise<void>
}

// Small enough to be forgotten piece by piece, large enough that a week is not a folder of thousands.
const SEGMENT = { segmentBytes: 64 * 2 ** 20, segmentSeconds: 3600 }
const LOAD_EVERY_SECONDS = 1

/** Where the service writes events out that the command line asks for. */
export const dumpFolderOf = (dataDir: string) => path.join(dataDir, 'events/dumps')

/** Events in a spool and from there in the engine. */
export async function openEvents(
  config: Config,
  { sql, onTrouble }: { sql: Sql; onTrouble: (message: string) => void },
): Promise<Events> {
  const folder = path.join(config.dataDir, 'events')
  const spool = await openSpool(path.join(folder, 'spool'), { ...SEGMENT, maxBytes: config.spoolLimitBytes })
  const aside = path.join(folder, 'rejected')
  const countAside = () => (existsSync(aside) ? readdirSync(aside).length : 0)
  if (countAside() > 0)
    onTrouble(`requests whose events could not be loaded are in ${aside}: ${countAside()}`)
  const isShared = config.clickhouseShards.length > 0
  const file = eventsFileOf(config.dataDir)
  const engine = await openEngine(config, { sql, onTrouble })
  const eraseHere = async (erased: ErasedEvents[], end = spool.end()) => {
    if (end && erased.length > 0) await spool.erase(erased, end)
    await eraseAside(aside, erased)
  }
  const missed = isShared ? await missedErasures(sql, spool.id) : { erased: [], erasedTo: 0 }
  // Before any of it is loaded: the engine has erased it already.
  await eraseHere(missed.erased)
  const feeder = startFeeder(spool, engine, {
    seconds: LOAD_EVERY_SECONDS,
    keepSeconds: config.spoolKeepSeconds,
    keepBytes: config.spoolLimitBytes / 2,
    aside,
    onSetAside: onTrouble,
    onTrouble: (error) => onTrouble(`events are kept, but cannot be loaded now: ${error.message}`),
  })
  /** Of the spool only what is loaded: nobody reads it while it is changed. */
  const erase = async (erased: ErasedEvents[]) => {
    const end = spool.end()
    await feeder.flush()
    for (const one of erased) await engine.erase(one)
    await eraseHere(erased, end)
  }
  const peers = isShared
    ? await joinPeers(sql, {
        spool: spool.id,
        flush: feeder.flush,
        erase,
        erasedTo: missed.erasedTo,
        onError: (error) =>
          onTrouble(`other processes cannot be told of events: ${(error as Error).message}`),
      })
    : undefined
  const { waitingReports, ...log } = openEventLog({
    spool,
    isWrittenThrough: isWrittenThrough(config),
    engine,
    feeder,
    askPeers: peers?.askPeers,
    erase: peers?.erase ?? ((erased) => erase([erased])),
    patienceSeconds: config.eventsPatienceSeconds,
  })
  return {
    log,
    async check() {
      if (isShared || existsSync(file) || feeder.waiting() > 0) await engine.check()
    },
    metrics: [
      {
        as: 'gauge',
        name: 'marquee_events_waiting_bytes',
        help: 'Events that are on the disk and not in the engine yet',
        count: feeder.waiting,
      },
      {
        as: 'gauge',
        name: 'marquee_reports_waiting',
        help: 'Reports that wait for their turn',
        count: waitingReports,
      },
      {
        as: 'gauge',
        name: 'marquee_events_rejected',
        help: 'Requests whose events could not be loaded and were put aside',
        count: countAside,
      },
    ],
    async close() {
      await feeder.close()
      await peers?.leave()
      await spool.close()
      await engine.close()
    },
  }
}

function isWrittenThrough({ eventsAcknowledge, clickhouseShards }: Config): boolean {
  if (eventsAcknowledge !== 'auto') return eventsAcknowledge === 'engine'
  return clickhouseShards.some((replicas) => replicas.length > 1)
}

/** Where events end up: ClickHouse, or DuckDB in the data folder. */
export function openEngine(
  config: Config,
  { sql, onTrouble }: { sql: Sql; onTrouble: (message: string) => void },
): EventEngine | Promise<EventEngine> {
  if (config.clickhouseShards.length > 0) return openCluster(config, sql, onTrouble)
  return openEmbedded(config, eventsFileOf(config.dataDir), onTrouble)
}

export const eventsFileOf = (dataDir: string) => path.join(dataDir, 'events/events.duckdb')

/** DuckDB in the data folder. */
function openEmbedded(config: Config, file: string, onTrouble: (message: string) => void): EventEngine {
  const threads = os.availableParallelism()
  const engine = openDuckDb({ file, memoryBytes: config.eventsMemoryBytes, threads, onTrouble })
  // Not needed before the first event; but a file that is there is looked through at once.
  if (existsSync(file)) engine.check().catch((error: Error) => onTrouble(error.message))
  return engine
}

/** ClickHouse, which all processes share. While it is away events are kept; what it refuses ends the start. */
async function openCluster(
  config: Config,
  sql: Sql,
  onTrouble: (message: string) => void,
): Promise<EventEngine> {
  const { openClickHouse } = await import('../../platform/events/clickhouse/engine.ts')
  const { ClickHouseError } = await import('../../platform/events/clickhouse/errors.ts')
  const { clickhouseShards: shards, clickhouseUser: user, clickhouseDatabase: database } = config
  const hosts = shards
    .flat()
    .map((url) => new URL(url).host)
    .join(', ')
  const engine = await openClickHouse({
    // In an order of its own, which says who is asked first.
    shards: shards.map((replicas) => [...replicas]),
    user,
    database,
    cluster: config.clickhouseCluster,
    password: config.clickhousePassword ?? '',
    lock: (work) => lockWhile(sql, 'marquee events', work),
  }).catch((error) => {
    if (!(error instanceof ClickHouseError)) throw error
    throw new StartupError(
      `ClickHouse at ${hosts} refuses what a start does as "${user}": ${error.message}. Check MARQUEE_CLICKHOUSE_USER and MARQUEE_CLICKHOUSE_PASSWORD; the user needs CREATE DATABASE, CREATE TABLE, DROP TABLE, ALTER TABLE, INSERT and SELECT on "${database}", KILL QUERY, and SELECT on system.*.`,
    )
  })
  engine.check().catch((error: Error) => {
    onTrouble(
      `ClickHouse at ${hosts} does not answer (${error.message}): events are kept until it does. Check MARQUEE_CLICKHOUSE_URL, and that it runs there.`,
    )
  })
  return engine
}
