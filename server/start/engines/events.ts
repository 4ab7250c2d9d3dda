import { existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import type { CountedElsewhere } from '../../http/metrics.ts'
import { openDuckDb } from '../../platform/events/duckdb/open-duckdb.ts'
import { startFeeder } from '../../platform/events/feeder.ts'
import { openEventLog } from '../../platform/events/open-event-log.ts'
import { joinPeers } from '../../platform/events/peers.ts'
import type { EventEngine, EventLog } from '../../platform/events/port.ts'
import { openSpool } from '../../platform/events/spool/open-spool.ts'
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
  const isShared = config.clickhouseUrls.length > 0
  const file = path.join(folder, 'events.duckdb')
  const engine = isShared ? await openCluster(config, sql) : openEmbedded(config, file, onTrouble)
  const feeder = startFeeder(spool, engine, {
    seconds: LOAD_EVERY_SECONDS,
    keepSeconds: config.spoolKeepSeconds,
    keepBytes: config.spoolLimitBytes / 2,
    aside,
    onSetAside: onTrouble,
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
  const { waitingReports, ...log } = openEventLog({
    spool,
    engine,
    feeder,
    askPeers: peers?.askPeers,
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

/** DuckDB in the data folder. */
function openEmbedded(config: Config, file: string, onTrouble: (message: string) => void): EventEngine {
  const threads = os.availableParallelism()
  const engine = openDuckDb({ file, memoryBytes: config.eventsMemoryBytes, threads, onTrouble })
  // Not needed before the first event; but a file that is there is looked through at once.
  if (existsSync(file)) engine.check().catch((error: Error) => onTrouble(error.message))
  return engine
}

/** ClickHouse, which all processes share. */
async function openCluster(config: Config, sql: Sql): Promise<EventEngine> {
  const { openClickHouse } = await import('../../platform/events/clickhouse/engine.ts')
  return openClickHouse({
    urls: config.clickhouseUrls,
    cluster: config.clickhouseCluster,
    database: config.clickhouseDatabase,
    user: config.clickhouseUser,
    password: config.clickhousePassword ?? '',
    lock: (work) => lockWhile(sql, 'marquee events', work),
  })
}
