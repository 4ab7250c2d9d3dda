import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DUMP_EVENTS } from '../../analytics/index.ts'
import type { LiveSource } from '../../backup/index.ts'
import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { type FolderLock, lockDataFolder, prepareDataFolder } from '../../platform/data-folder/data-folder.ts'
import { askAllPeers } from '../../platform/events/peers.ts'
import type { DumpedEvents } from '../../platform/events/rows.ts'
import { postgresJobs } from '../../platform/jobs/postgres.ts'
import { jobRecords } from '../../platform/jobs/records.ts'
import { HELD } from '../../platform/objects/hold-deleted.ts'
import { BackupUnderWay, whileBackingUp } from '../../platform/postgres/backup-lock.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { dumpFolderOf, openEngine, openEvents } from '../engines/events.ts'
import { openObjectsBeside } from '../engines/objects.ts'
import { reachDatabase } from '../engines/reach-database.ts'

export interface OpenedSource extends LiveSource {
  /** Nobody else can change it meanwhile. */
  isOurs: boolean
  /** Of some, or all events. */
  dump(events: DumpedEvents, file: string): Promise<void>
  close(): Promise<void>
}

/** An installation to be read, whether its service runs or not. */
export async function openSource(config: Config, tell: (message: string) => void): Promise<OpenedSource> {
  const database = await reachDatabase(config, tell)
  const { sql } = database
  const objects = await openObjectsBeside(config)
  const scratch = path.join(config.dataDir, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const dump = (events: DumpedEvents, file: string) =>
    dumpEvents({ config, sql, tell, isOurs: database.isOurs }, events, file)
  return {
    isOurs: database.isOurs,
    sql,
    objects,
    held: HELD,
    dataDir: config.dataDir,
    scratch,
    async hold(work) {
      try {
        return await whileBackingUp(sql, work)
      } catch (error) {
        throw error instanceof BackupUnderWay ? new StartupError(error.message) : error
      }
    },
    dumpEvents: (before, file) => dump({ before }, file),
    dump,
    async close() {
      await objects.close()
      await database.close()
    },
  }
}

interface DumpDeps {
  config: Config
  sql: Sql
  tell: (message: string) => void
  isOurs: boolean
}

/** By whoever has the engine open. */
async function dumpEvents(deps: DumpDeps, events: DumpedEvents, file: string): Promise<void> {
  const { config, sql, tell } = deps
  if (config.clickhouseShards.length > 0) return dumpShared(deps, events, file)
  const lock = deps.isOurs ? undefined : await lockOf(config)
  if (lock === 'taken') return dumpByService(deps, events, file)
  const open = await openEvents(config, { sql, onTrouble: tell })
  try {
    await open.log.dump(events, file)
  } finally {
    await open.close()
    await lock?.release()
  }
}

async function lockOf({ dataDir }: Config): Promise<FolderLock | 'taken'> {
  prepareDataFolder(dataDir)
  const lock = await lockDataFolder(dataDir)
  return 'heldBy' in lock ? 'taken' : lock
}

/** From ClickHouse itself, once all processes have loaded what they had taken. */
async function dumpShared(
  { config, sql, tell }: DumpDeps,
  events: DumpedEvents,
  file: string,
): Promise<void> {
  const engine = await openEngine(config, { sql, onTrouble: tell })
  try {
    await askAllPeers(sql, (error) => tell((error as Error).message))
    await engine.dump(events, file)
  } finally {
    await engine.close()
  }
}

const PATIENCE_MS = 3_600_000

/** The service has the database of events open, and nobody else can: it is asked to write them out. */
async function dumpByService({ config, sql }: DumpDeps, events: DumpedEvents, file: string): Promise<void> {
  const name = `${randomBytes(8).toString('hex')}.ndjson`
  const made = path.join(dumpFolderOf(config.dataDir), name)
  const jobs = postgresJobs(sql, { queues: [DUMP_EVENTS], onError: () => {} })
  await sql.begin((tx) => jobs.enqueue(tx, DUMP_EVENTS, name, { ...events, name }))
  const jobHere = async () =>
    (await jobRecords(sql).list({ queue: DUMP_EVENTS.name })).find(({ key }) => key === name)
  try {
    let [grown, since] = [0, performance.now()]
    while (!existsSync(made)) {
      const job = await jobHere()
      if (job?.state === 'failed')
        throw new StartupError(`the service cannot write its events: ${job.last_error}`)
      if (!job && !existsSync(made)) throw new StartupError('the service has not written its events')
      const size = await stat(`${made}.part`).then(
        (found) => found.size,
        () => 0,
      )
      if (size !== grown) [grown, since] = [size, performance.now()]
      if (performance.now() - since > PATIENCE_MS)
        throw new StartupError('the service does not write its events')
      await sleep(100)
    }
    // Between two file systems it is copied.
    await rename(made, file).catch(() => copyFile(made, file))
  } finally {
    const left = await jobHere()
    if (left) await jobRecords(sql).drop({ id: left.id })
    await rm(made, { force: true })
  }
}
