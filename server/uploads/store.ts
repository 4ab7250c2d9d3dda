import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import type { FileKind } from './address.ts'

export type FileStatus = 'uploading' | 'uploaded' | 'processing' | 'ready' | 'error'

export async function insertFile(
  tx: Transaction,
  file: { id: string; projectId: string; kind: FileKind; name: string; expires: Date },
): Promise<void> {
  await tx`
    insert into files (id, project_id, kind, name, upload_expires)
    values (${file.id}, ${file.projectId}, ${file.kind}, ${Buffer.from(file.name)}, ${file.expires})`
}

export async function statusOfFile(sql: Queryable, fileId: string): Promise<FileStatus | undefined> {
  const [row] = await sql<{ status: FileStatus }[]>`
    select status from files where id = ${fileId} and deleted_at is null`
  return row?.status
}

/** One at a time completes a file; whoever holds the claim renews it, so that a killed one lets go. */
export async function claimFile(sql: Sql, fileId: string, seconds: number): Promise<boolean> {
  const claimed = await sql`
    update files set status = 'processing', claimed_until = now() + make_interval(secs => ${seconds})
    where id = ${fileId} and status in ('uploading', 'processing') and deleted_at is null
      and (claimed_until is null or claimed_until < now())`
  return claimed.count > 0
}

export async function renewClaim(sql: Sql, fileId: string, seconds: number): Promise<void> {
  await sql`
    update files set claimed_until = now() + make_interval(secs => ${seconds})
    where id = ${fileId} and status = 'processing'`
}

export async function releaseClaim(sql: Sql, fileId: string): Promise<void> {
  await sql`update files set status = 'uploading', claimed_until = null where id = ${fileId} and status = 'processing'`
}

export interface Served {
  format: string
  objectKey: string
  size: number
  etag: string
  /** By how much all that is kept for the file grows. */
  addedBytes: number
  /** The object that was served before, if one was. */
  insteadOf?: string
}

/**
 * The file is served from now on, and what it takes counts on its project. False where it was deleted
 * meanwhile, or where it no longer is as `insteadOf` says.
 */
export async function settleFile(tx: Transaction, fileId: string, served: Served): Promise<boolean> {
  const settled = await tx`
    with settled as (
      update files set status = 'ready', claimed_until = null, format = ${served.format},
        object_key = ${served.objectKey}, size = ${served.size}, etag = ${served.etag},
        stored_bytes = stored_bytes + ${served.addedBytes}, updated_at = now()
      where id = ${fileId} and deleted_at is null and object_key is not distinct from ${served.insteadOf ?? null}
      returning project_id)
    update projects set storage_used = storage_used + ${served.addedBytes} where id = (select project_id from settled)`
  return settled.count > 0
}

/** The file is gone for everybody; its objects follow. */
export async function retireFile(tx: Transaction, fileId: string): Promise<void> {
  await tx`
    with retired as (
      update files f set deleted_at = now(), stored_bytes = 0, updated_at = now()
      from (select id, stored_bytes from files where id = ${fileId} for update) before
      where f.id = before.id and f.deleted_at is null returning f.project_id, before.stored_bytes)
    update projects set storage_used = storage_used - retired.stored_bytes
    from retired where projects.id = retired.project_id`
}

export interface ServableFile {
  id: string
  project_id: string
  format: string
  object_key: string
  size: number
  etag: string
  updated_at: string
}

export async function findServable(
  sql: Sql,
  projectId: string,
  fileId: string,
): Promise<ServableFile | undefined> {
  const [row] = await sql<ServableFile[]>`
    select id, project_id, format, object_key, size, etag, updated_at from files
    where id = ${fileId} and project_id = ${projectId} and status = 'ready' and deleted_at is null`
  return row
}

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
  return sql<{ file_id: string; project_id: string }[]>`
    select file_id, project_id from garbage order by created_at limit ${limit}`
}

export async function forgetGarbage(sql: Sql, fileId: string): Promise<void> {
  await sql`delete from garbage where file_id = ${fileId}`
}

/** Which of these files still wait for their bytes. */
export async function filesAwaitingUpload(sql: Sql, fileIds: string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from files where id = any(${fileIds}) and status in ('uploading', 'processing') and deleted_at is null`
  return new Set(rows.map((row) => row.id))
}
