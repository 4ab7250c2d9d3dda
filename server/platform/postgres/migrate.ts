import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../../base/errors.ts'
import type { Sql, Transaction } from './client.ts'

const folder = path.join(import.meta.dirname, '../../../migrations')

interface Migration {
  version: number
  name: string
  statements: string
  sha256: string
}

/**
 * Brings the schema to what this version of the service needs; several processes may try at once. What was applied is what
 * is in the folder today: one that was changed afterwards would mean a schema that nobody knows. Of a database that is in use,
 * `onUpgrade` hears what is done to it, for that may take minutes.
 */
export async function migrate(sql: Sql, onUpgrade: (message: string) => void = () => {}): Promise<void> {
  await sql.begin((tx) => migrateIn(tx, { onUpgrade }))
}

interface MigrateOptions {
  onUpgrade?: (message: string) => void
  /** The last one to apply; all there are where it is not said. */
  upTo?: number
}

/** The same in a transaction that does more than that. */
export async function migrateIn(
  tx: Transaction,
  { onUpgrade = () => {}, upTo }: MigrateOptions = {},
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('marquee migrations'))`
  await tx`create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at timestamptz not null default now())`
  await addHashes(tx)
  const rows = await tx<{ version: number; sha256: string | null }[]>`
      select version, sha256 from schema_migrations`
  const applied = new Map(rows.map((row) => [row.version, row.sha256]))
  const known = readMigrations()
  const newest = Math.max(0, ...applied.keys())
  const newestKnown = Math.max(...known.map(({ version }) => version))
  if (Math.max(newest, upTo ?? 0) > newestKnown)
    throw new StartupError(
      `the database is of a newer Marquee (schema ${Math.max(newest, upTo ?? 0)}, this one knows ${newestKnown}). Start that version instead.`,
    )
  for (const migration of known) {
    const { version, name, statements, sha256 } = migration
    if (version > (upTo ?? newestKnown)) break
    if (applied.has(version)) await check(tx, migration, applied.get(version)!)
    else {
      if (newest > 0)
        onUpgrade(`upgrading the database, schema ${version} of ${newestKnown}; a large one takes minutes …`)
      await tx.unsafe(statements)
      await tx`insert into schema_migrations (version, name, sha256) values (${version}, ${name}, ${sha256})`
    }
  }
}

/** Not as a migration, for it is there before the first. Asked for first: changing a table waits for all who read it. */
async function addHashes(tx: Transaction): Promise<void> {
  const [row] = await tx<{ there: boolean }[]>`
    select exists (select from pg_attribute
      where attrelid = 'schema_migrations'::regclass and attname = 'sha256' and not attisdropped) as there`
  if (!row!.there) await tx`alter table schema_migrations add column sha256 text`
}

/** Those of before hashes were kept are taken as they are. */
async function check(
  tx: Transaction,
  { version, name, sha256 }: Migration,
  before: string | null,
): Promise<void> {
  if (before === null)
    await tx`update schema_migrations set sha256 = ${sha256} where version = ${version} and sha256 is null`
  else if (before !== sha256)
    throw new StartupError(
      `migrations/${fileOf(version, name)} is not what was applied to this database. Put back the file of the release, or start the version that the database is of.`,
    )
}

/** Whether the schema is what this version needs, with nothing done about it. */
export async function isCurrent(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`select to_regclass('schema_migrations') is not null as there`
  if (!row!.there) return false
  const applied = await sql<{ version: number }[]>`select version from schema_migrations order by version`
  const known = readMigrations().map(({ version }) => version)
  return JSON.stringify(applied.map(({ version }) => version)) === JSON.stringify(known)
}

const fileOf = (version: number, name: string) => `${String(version).padStart(4, '0')}_${name}.sql`

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const statements = readFileSync(path.join(folder, file), 'utf8')
      return {
        version: Number(file.slice(0, 4)),
        name: file.slice(5, -4),
        statements,
        // However a checkout ends its lines.
        sha256: createHash('sha256').update(statements.replaceAll('\r\n', '\n')).digest('hex'),
      }
    })
}
