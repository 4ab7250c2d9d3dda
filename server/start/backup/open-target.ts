import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isInstalled } from '../../access/index.ts'
import type { FillTarget } from '../../backup/index.ts'
import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { lockDataFolder, prepareDataFolder } from '../../platform/data-folder/data-folder.ts'
import { countPeers } from '../../platform/events/peers.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { migrateIn } from '../../platform/postgres/migrate.ts'
import { openDatabase } from '../engines/database.ts'
import { eventsFileOf, openEngine } from '../engines/events.ts'
import { openObjectsBeside } from '../engines/objects.ts'
import { restoringFile } from './restoring.ts'

export interface OpenTarget extends FillTarget {
  /** Files of the data folder. */
  putFile(name: string, content: Buffer): Promise<void>
  /** All is there: the service may start. */
  done(): Promise<void>
  close(): Promise<void>
}

interface TargetOptions {
  /** What it is filled with: one that was begun with the same goes on. */
  id: string
  /** Whether what is there already is put aside, or deleted. */
  force: boolean
  tell(message: string): void
}

/** What the data folder holds of an installation. */
const OF_INSTALLATION = ['postgres', 'objects', 'temporary', 'events', 'quickstart.json']

/** An installation that is empty, or was begun to be filled with the same. Nobody starts it until it is whole. */
export async function openTarget(config: Config, { id, force, tell }: TargetOptions): Promise<OpenTarget> {
  const { dataDir } = config
  prepareDataFolder(dataDir)
  const lock = await lockDataFolder(dataDir)
  if (!('release' in lock))
    throw new StartupError(`the service runs on ${dataDir}. Stop it first, and start it when this has ended.`)
  const marker = restoringFile(dataDir)
  const begunWith = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : undefined
  const goesOn = begunWith === id
  if (begunWith !== undefined && !goesOn && !force)
    throw new StartupError(
      `${dataDir} was begun to be filled with ${begunWith}, and is not whole. Go on with that: --at ${begunWith}; or give --force to begin anew.`,
    )
  if (force && !goesOn) await putFolderAside(dataDir, tell)
  const database = await openDatabase(config, tell)
  const { sql } = database
  const objects = await openObjectsBeside(config)
  const engine = await openEngine(config, { sql, onTrouble: tell })
  const closeAll = async () => {
    await engine.close()
    await objects.close()
    await database.close()
    await lock.release()
  }
  try {
    if (!goesOn) {
      if (force && config.databaseUrl) await refuseWhileUsed(sql)
      if (!(force && config.databaseUrl)) await refuseRecords(sql)
      if (force && config.s3Bucket) for (const prefix of KINDS_OF_OBJECTS) await objects.deletePrefix(prefix)
      else await refuseObjects(objects)
      if (existsSync(eventsFileOf(dataDir)) || config.clickhouseShards.length > 0)
        if ((await engine.count({})) > 0)
          throw new StartupError(
            'there are events already in this installation. Give it a database of its own: MARQUEE_CLICKHOUSE_DATABASE',
          )
      await writeFile(marker, `${id}\n`, { mode: 0o600, flush: true })
    }
  } catch (error) {
    await closeAll()
    throw error
  }
  const scratch = path.join(dataDir, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  return {
    sql,
    objects,
    events: engine,
    scratch,
    migrate: (tx, upTo) => migrateIn(tx, { upTo }),
    putFile: (name, content) =>
      writeFile(path.join(dataDir, path.basename(name)), content, { mode: 0o600, flush: true }),
    async done() {
      rmSync(marker, { force: true })
    },
    close: closeAll,
  }
}

/** Nothing is lost by it but room. */
async function putFolderAside(dataDir: string, tell: (message: string) => void): Promise<void> {
  const aside = path.join(dataDir, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  const there = OF_INSTALLATION.filter((name) => existsSync(path.join(dataDir, name)))
  if (there.length === 0) return
  await mkdir(aside, { mode: 0o755 })
  for (const name of there) await rename(path.join(dataDir, name), path.join(aside, name))
  tell(`what was in ${dataDir} was put aside as ${aside}; delete it when you do not need it any more`)
}

const KINDS_OF_OBJECTS = ['media/', 'incoming/', 'incoming-pieces/', 'held/'] as const

async function refuseRecords(sql: Sql): Promise<void> {
  const [row] = await sql<{ there: boolean }[]>`select to_regclass('organizations') is not null as there`
  if (row!.there && (await isInstalled(sql)))
    throw new StartupError(
      'this installation is not empty. Give an empty one, by MARQUEE_DATA_DIR or MARQUEE_DATABASE_URL; or --force, which replaces everything that is in this one.',
    )
}

async function refuseObjects(objects: ObjectStore): Promise<void> {
  for await (const { key } of objects.list('media/'))
    throw new StartupError(
      `the object store is not empty: it has ${key}. Give an empty one, or --force, which deletes everything of Marquee that is in it.`,
    )
}

/** Of a database by address, processes elsewhere may be using it. */
async function refuseWhileUsed(sql: Sql): Promise<void> {
  if ((await countPeers(sql)) > 0)
    throw new StartupError('a service uses this database. Stop all its processes first.')
}
