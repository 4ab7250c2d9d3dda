import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../../base/errors.ts'
import type { Sql } from './client.ts'

const folder = path.join(import.meta.dirname, '../../../migrations')

interface Migration {
  version: number
  name: string
  statements: string
}

/** Brings the schema to what this version of the service needs; several processes may try at once. */
export async function migrate(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('marquee migrations'))`
    await tx`create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at timestamptz not null default now())`
    const rows = await tx<{ version: number }[]>`select version from schema_migrations`
    const applied = new Set(rows.map((row) => row.version))
    const known = readMigrations()
    const newest = Math.max(0, ...applied)
    const newestKnown = Math.max(...known.map(({ version }) => version))
    if (newest > newestKnown)
      throw new StartupError(
        `the database is of a newer Marquee (schema ${newest}, this one knows ${newestKnown}). Start that version instead.`,
      )
    for (const { version, name, statements } of known) {
      if (applied.has(version)) continue
      await tx.unsafe(statements)
      await tx`insert into schema_migrations (version, name) values (${version}, ${name})`
    }
  })
}

/** Whether the schema is what this version needs, with nothing done about it. */
export async function isCurrent(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`select to_regclass('schema_migrations') is not null as there`
  if (!row!.there) return false
  const applied = await sql<{ version: number }[]>`select version from schema_migrations order by version`
  const known = readMigrations().map(({ version }) => version)
  return JSON.stringify(applied.map(({ version }) => version)) === JSON.stringify(known)
}

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      statements: readFileSync(path.join(folder, file), 'utf8'),
    }))
}
