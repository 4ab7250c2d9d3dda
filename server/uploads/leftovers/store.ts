import type { FileId, ProjectId } from '../../base/ids.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'

/** Forgets uploads that were never completed; their objects become garbage. */
export async function deleteExpiredFiles(sql: Sql): Promise<number> {
  const deleted = await sql`
    delete from files where id in (
      select id from files
      where status in ('uploading', 'processing') and upload_expires <= now()
        and (claimed_until is null or claimed_until < now())
      limit 1000 for update skip locked)`
  return deleted.count
}

export function listGarbage(sql: Sql, limit: number) {
  return sql<{ file_id: FileId; project_id: ProjectId }[]>`
    select file_id, project_id from garbage order by created_at limit ${limit}`
}

/** How many of a project's files have objects that the next sweep removes. */
export async function countGarbage(sql: Sql, projectId: ProjectId): Promise<number> {
  const [row] = await sql<{ files: number }[]>`
    select count(*)::int as files from garbage where project_id = ${projectId}`
  return row!.files
}

export async function forgetGarbage(sql: Sql, fileId: FileId): Promise<void> {
  await sql`delete from garbage where file_id = ${fileId}`
}

/** Which of these files still wait for their bytes. */
export async function filesAwaitingUpload(sql: Sql, fileIds: FileId[]): Promise<Set<FileId>> {
  const rows = await sql<{ id: FileId }[]>`
    select id from files where id = any(${fileIds}) and status in ('uploading', 'processing') and deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}

/** Into the trash: nobody is served it any more, and it does not count on its project. */
export async function trashFile(tx: Transaction, fileId: FileId): Promise<void> {
  await tx`
    with trashed as (
      update files set deleted_at = now() where id = ${fileId} and deleted_at is null
      returning project_id, stored_bytes)
    update projects set storage_used = storage_used - trashed.stored_bytes
    from trashed where projects.id = trashed.project_id`
}

/** Out of the trash, as it was. False where it is not there any more, or its project is in there itself. */
export async function untrashFile(tx: Transaction, fileId: FileId): Promise<boolean> {
  const restored = await tx`
    with restored as (
      update files set deleted_at = null where id = ${fileId} and deleted_at is not null
      returning project_id, stored_bytes)
    update projects set storage_used = storage_used + restored.stored_bytes
    from restored where projects.id = restored.project_id and projects.deleted_at is null`
  return restored.count > 0
}

/** Deletes some of the files that have been in the trash for so long, or of these of them; their objects become garbage. */
export async function deleteTrashedFiles(
  sql: Sql,
  { seconds, only }: { seconds: number; only?: string[] },
): Promise<number> {
  const deleted = await sql`
    delete from files where id in (
      select id from files where deleted_at <= now() - make_interval(secs => ${seconds})
        and (${only ?? null}::text[] is null or id = any(${only ?? null}::text[]))
      limit 1000 for update skip locked)`
  return deleted.count
}

/** Nothing refers to what is below this prefix; it may go when the time has come. */
export async function insertOrphans(sql: Queryable, prefix: string, seconds: number): Promise<void> {
  await sql`
    insert into orphaned_objects (prefix, due_at) values (${prefix}, now() + make_interval(secs => ${seconds}))
    on conflict (prefix) do update set due_at = excluded.due_at`
}

export async function deleteOrphans(sql: Queryable, prefix: string): Promise<boolean> {
  const deleted = await sql`delete from orphaned_objects where prefix = ${prefix}`
  return deleted.count > 0
}

/** Which of these nothing refers to, as far as is known. */
export async function orphansAmong(sql: Sql, prefixes: string[]): Promise<string[]> {
  const rows = await sql<{ prefix: string }[]>`
    select prefix from orphaned_objects where prefix = any(${prefixes})`
  return rows.map(({ prefix }) => prefix)
}

export async function listLoose(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql<{ prefix: string }[]>`
    select prefix from orphaned_objects where due_at <= now() order by due_at limit ${limit}`
  return rows.map(({ prefix }) => prefix)
}
