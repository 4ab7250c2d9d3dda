import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type FillTarget,
  type LiveSource,
  makeBackup,
  openVault,
  withLiveContent,
} from '../../server/backup/index.ts'
import { openDuckDb } from '../../server/platform/events/duckdb/open-duckdb.ts'
import type { EventEngine } from '../../server/platform/events/port.ts'
import { openDiskStore } from '../../server/platform/objects/disk.ts'
import { HELD } from '../../server/platform/objects/hold-deleted.ts'
import { whileBackingUp } from '../../server/platform/postgres/backup-lock.ts'
import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { migrateIn } from '../../server/platform/postgres/migrate.ts'
import { createDatabase } from './postgres.ts'

export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An installation to be read, of a service that is composed in the test's process. */
export async function sourceOf(
  { sql, dataDir }: { sql: Sql; dataDir: string },
  events: Pick<EventEngine, 'dump'>,
): Promise<LiveSource> {
  return {
    sql,
    objects: await openDiskStore(dataDir),
    held: HELD,
    dataDir,
    scratch: scratchFolder(),
    hold: (work) => whileBackingUp(sql, work),
    dumpEvents: async (before, file) => void (await events.dump({ before }, file)),
  }
}

export const quietly = () => {}
const INSTALLATION = { installation: 'of the test' }

/** Backups in a folder, and what is done with them. */
export async function vaultIn(folder: string, key?: Buffer) {
  const place = await openDiskStore(folder)
  const vault = await openVault({ place, key, name: folder, make: INSTALLATION })
  const backUp = (source: LiveSource) =>
    withLiveContent(source, (content) => makeBackup(content, { vault, version: 'test', progress: quietly }))
  return { vault, backUp }
}

/** An installation with nothing in it, on engines of its own. */
export async function emptyTarget(): Promise<FillTarget & { folder: string }> {
  const folder = scratchFolder()
  const { url, drop } = await createDatabase()
  const sql = connect({ url }, { max: 4 })
  const events = eventsIn(folder)
  onTestFinished(async () => {
    await sql.end({ timeout: 1 })
    await drop()
  })
  return {
    folder,
    sql,
    objects: await openDiskStore(folder),
    events,
    scratch: folder,
    migrate: (tx, upTo) => migrateIn(tx, { upTo }),
  }
}

/** An engine of its own for events. */
export function eventsIn(folder: string): EventEngine {
  mkdirSync(path.join(folder, 'events'), { recursive: true })
  const file = path.join(folder, 'events/events.duckdb')
  const engine = openDuckDb({ file, memoryBytes: 2 ** 28, threads: 1, onTrouble: quietly })
  onTestFinished(() => engine.close())
  return engine
}
