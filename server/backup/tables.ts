import { createHash, randomUUID } from 'node:crypto'
import type { Transaction } from '../platform/postgres/client.ts'

/** Which migrations a database has had; they are applied to the other one, not copied. */
const OF_MIGRATIONS = 'schema_migrations'

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
/** As a constant of SQL. */
export const text = (value: string) => `'${value.replaceAll("'", "''")}'`

export async function listTables(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> ${OF_MIGRATIONS}
    order by c.relname collate "C"`
  return rows.map(({ name }) => name)
}

export async function schemaOf(tx: Transaction): Promise<number> {
  const [row] = await tx<{ version: number }[]>`select max(version) as version from schema_migrations`
  return row!.version
}

const FEWEST = 1
const MOST = 5000
const BATCH_BYTES = 4 * 2 ** 20

/** Rows of a table as JSON, some at a time, in the order of its primary key: always the same for the same rows. */
export async function* readRows(tx: Transaction, table: string): AsyncGenerator<string[]> {
  const keys = await tx<{ name: string; of_text: boolean }[]>`
    select a.attname as name, a.attcollation <> 0 as of_text
    from pg_index i cross join lateral unnest(i.indkey) with ordinality as k(attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indisprimary and i.indrelid = ${table}::regclass order by k.place`
  const order = keys.map(({ name, of_text }) => quoted(name) + (of_text ? ' collate "C"' : ''))
  yield* readQuery(tx, `select * from ${quoted(table)} order by ${order.join(', ') || '1'}`)
}

/** What a query finds, in its order, as JSON. */
export async function* readQuery(tx: Transaction, query: string): AsyncGenerator<string[]> {
  const cursor = quoted(`read ${randomUUID()}`)
  await tx.unsafe(
    `declare ${cursor} no scroll cursor for select row_to_json(t)::text as row from (${query}) t`,
  )
  for (let count = 100; ; ) {
    const rows = await tx.unsafe<{ row: string }[]>(`fetch ${count} from ${cursor}`)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < count) break
    const bytes = rows.reduce((sum, { row }) => sum + row.length, 0)
    count = Math.round(Math.min(MOST, Math.max(FEWEST, (count * BATCH_BYTES) / bytes, 1)))
  }
  await tx.unsafe(`close ${cursor}`)
}

export async function readSequences(tx: Transaction): Promise<{ name: string; value: string }[]> {
  return tx<{ name: string; value: string }[]>`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`
}

/** Adds up the hashes of rows; what rows they are decides, and not their order. */
export function rowSum() {
  let sum = 0n
  let rows = 0
  return {
    add(row: string) {
      sum += BigInt(`0x${createHash('md5').update(row).digest('hex').slice(0, 12)}`)
      rows++
    },
    end: () => ({ rows, sum: String(sum) }),
  }
}

/** The same, of a table as it is. */
export async function sumOfTable(tx: Transaction, table: string): Promise<{ rows: number; sum: string }> {
  const [row] = await tx.unsafe<{ rows: number; sum: string }[]>(
    `select count(*) as rows,
      coalesce(sum(('x' || substr(md5(row_to_json(t)::text), 1, 12))::bit(48)::bigint), 0)::text as sum
    from ${quoted(table)} t`,
  )
  return row!
}

/**
 * Has all tables loaded, with nothing that rows set off when they come, and with no reference checked before all of them are
 * there; then each is checked as if it had just been said.
 */
export async function whileLoading(tx: Transaction, load: () => Promise<void>): Promise<void> {
  const tables = await listTables(tx)
  const references = await tx<{ table: string; name: string; definition: string }[]>`
    select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace order by 1, 2`
  for (const table of tables) await tx.unsafe(`alter table ${quoted(table)} disable trigger user`)
  for (const { table, name } of references)
    await tx.unsafe(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  // What migrations have put into them comes with the rest.
  for (const table of tables) await tx.unsafe(`delete from ${quoted(table)}`)
  await load()
  for (const { table, name, definition } of references)
    await tx.unsafe(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
  for (const table of tables) await tx.unsafe(`alter table ${quoted(table)} enable trigger user`)
}

/** Puts rows into a table as they were read from another of the same form. */
export async function loadRows(tx: Transaction, table: string, rows: AsyncIterable<string>): Promise<void> {
  const columns = await tx<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
  const names = columns.map(({ name }) => quoted(name)).join(', ')
  const put = (batch: string[]) =>
    tx`insert into ${tx.unsafe(quoted(table))} (${tx.unsafe(names)}) overriding system value
      select ${tx.unsafe(names)} from json_populate_recordset(null::${tx.unsafe(quoted(table))}, ${`[${batch.join(',')}]`}::json)`
  let batch: string[] = []
  let bytes = 0
  for await (const row of rows) {
    batch.push(row)
    bytes += row.length
    if (bytes < BATCH_BYTES && batch.length < MOST) continue
    await put(batch)
    batch = []
    bytes = 0
  }
  if (batch.length > 0) await put(batch)
}

export async function setSequence(tx: Transaction, name: string, value: string): Promise<void> {
  await tx.unsafe(`select setval(${text(quoted(name))}::regclass, ${BigInt(value)}, true)`)
}

/** Takes everything out of the schema, for a database that is to be filled anew. */
export async function emptySchema(tx: Transaction): Promise<void> {
  const found = await tx<{ statement: string }[]>`
    select format('drop table if exists %I cascade', relname) as statement from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    union all
    select format('drop sequence if exists %I cascade', relname) from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S'
    union all
    select format('drop function if exists %s cascade', oid::regprocedure) from pg_proc p
    where pronamespace = current_schema()::regnamespace and prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('drop type if exists %I cascade', typname) from pg_type t
    where typnamespace = current_schema()::regnamespace and typtype in ('c', 'e', 'd')
      and not exists (select from pg_class c where c.oid = t.typrelid and c.relkind <> 'c')
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')`
  for (const { statement } of found) await tx.unsafe(statement)
}
