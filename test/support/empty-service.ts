import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectStore } from '../../server/platform/objects/port.ts'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { mediaIn } from './stored-media.ts'

/** What a service has read when it was composed, and goes on using. */
const KEPT = ['schema_migrations', 'installation_secrets', 'event_loaders']

/** Not by truncating, which makes every table and index anew; and what refers to what does not matter then. */
const DELETE_ALL = `
  do $$ declare one text; begin
    set local session_replication_role = replica;
    for one in
      select tablename from pg_tables where schemaname = current_schema()
      and tablename not in (${KEPT.map((name) => `'${name}'`).join(', ')})
    loop execute format('delete from %I', one); end loop;
  end $$`

interface Emptied {
  sql: Sql
  /** Or where its media is, if that is elsewhere. */
  folder?: string
  store?: ObjectStore
}

/**
 * Takes everything out of a service, as if it had never been started; false where something is still at work in it,
 * which would come back into what is empty.
 */
export async function emptyService({ sql, folder, store }: Emptied): Promise<boolean> {
  if (!(await isIdle(sql))) return false
  await sql.unsafe(DELETE_ALL)
  await sql`delete from installation_secrets where name = 'webhook'`
  for (const name of ['objects', 'cache', 'temporary']) if (folder) removeFiles(path.join(folder, name))
  if (store) for (const { key } of await mediaIn(store)) await store.delete(key)
  return true
}

/** Cheaper than another service: most jobs are done in a moment. */
const PATIENCE_MS = 1500

/** Whether nothing is at work, now or soon; what waits to be done is forgotten. */
async function isIdle(sql: Sql): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(20)) {
    await sql`delete from jobs where owner is null or due_at <= now()`
    const [work] = await sql<{ jobs: number }[]>`select count(*)::int as jobs from jobs`
    if (work!.jobs === 0) return true
    if (Date.now() > deadline) return false
  }
}

/** Folders stay: the service knows which there are. */
function removeFiles(folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) rmSync(path.join(entry.parentPath, entry.name), { force: true })
}
