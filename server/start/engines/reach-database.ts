import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { lockDataFolder, prepareDataFolder } from '../../platform/data-folder/data-folder.ts'
import { isOutage, type Sql } from '../../platform/postgres/client.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { connectDatabase, type Database, openDatabase } from './database.ts'

const PATIENCE_MS = 20_000

export interface ReachedDatabase extends Database {
  /** Started for this, so that the data folder is nobody else's for as long. */
  isOurs: boolean
}

/**
 * The database of the running service, or, where none runs, one started for the length of the command. Another command
 * may be starting or stopping it this very moment; that passes.
 */
export async function reachDatabase(
  config: Config,
  onTrouble: (message: string) => void,
): Promise<ReachedDatabase> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(100)) {
    const own = config.databaseUrl ? undefined : await startDatabase(config, onTrouble)
    if (own) return { ...own, isOurs: true }
    const running = connectDatabase(config)
    try {
      if (await enter(running.sql)) return { ...running, isOurs: false }
      await running.close()
    } catch (error) {
      await running.close()
      if (!isOutage(error) || performance.now() > deadline) throw error
    }
  }
}

/** Undefined where somebody else has started it. */
async function startDatabase(
  config: Config,
  onTrouble: (message: string) => void,
): Promise<Database | undefined> {
  if (!existsSync(path.join(config.dataDir, 'quickstart.json')))
    throw new StartupError(
      `there is no Marquee in ${config.dataDir} yet. Start it once with npm start, or set MARQUEE_DATA_DIR to where it is.`,
    )
  prepareDataFolder(config.dataDir)
  const lock = await lockDataFolder(config.dataDir)
  if ('heldBy' in lock) return undefined
  const database = await openDatabase(config, onTrouble)
  await migrate(database.sql, onTrouble)
  // On a connection of its own, which stays until the server goes: nobody enters between the two.
  const door = connectDatabase(config)
  return {
    sql: database.sql,
    async close() {
      while (!(await isLeft(door.sql))) await sleep(50)
      await database.close()
      await door.close()
      await lock.release()
    },
  }
}

/** Other commands share this lock while they use a database; whoever stops it has it alone, until it has stopped. */
const IN_USE = 'marquee commands'

/** False where the database is about to be stopped. */
async function enter(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ entered: boolean }[]>`
    select pg_try_advisory_lock_shared(hashtext(${IN_USE})) as entered`
  return row!.entered
}

/** Whether nobody else uses the database; nobody enters then. */
async function isLeft(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ left: boolean }[]>`
    select pg_try_advisory_lock(hashtext(${IN_USE})) as left`
  return row!.left
}
