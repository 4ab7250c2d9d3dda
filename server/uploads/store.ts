import type { FileId, ImageId, ProjectId, SigningKeyId, VideoId } from '../base/ids.ts'
import type { Metadata, Visibility } from '../base/media.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import type { FileKind } from './address.ts'

export type FileStatus = 'uploading' | 'uploaded' | 'processing' | 'ready' | 'error'

export async function insertFile(
  tx: Transaction,
  file: { id: FileId; projectId: ProjectId; kind: FileKind; name: string; expires: Date },
): Promise<void> {
  await tx`
    insert into files (id, project_id, kind, name, upload_expires, visibility)
    values (${file.id}, ${file.projectId}, ${file.kind}, ${Buffer.from(file.name)}, ${file.expires},
      (select default_visibility from projects where id = ${file.projectId}))`
}

export async function statusOfFile(sql: Queryable, fileId: FileId): Promise<FileStatus | undefined> {
  const [row] = await sql<{ status: FileStatus }[]>`
    select status from files where id = ${fileId} and deleted_at is null`
  return row?.status
}

/** Until when a file's bytes are waited for. */
export async function awaitedUntil(sql: Queryable, fileId: FileId): Promise<Date | undefined> {
  const [row] = await sql<{ upload_expires: string }[]>`
    select upload_expires from files where id = ${fileId} and deleted_at is null`
  return row && new Date(row.upload_expires)
}

/** One at a time completes a file; whoever holds the claim renews it, so that a killed one lets go. */
export async function claimFile(sql: Sql, fileId: FileId, seconds: number): Promise<boolean> {
  const claimed = await sql`
    update files set status = 'processing', claimed_until = now() + make_interval(secs => ${seconds})
    where id = ${fileId} and status in ('uploading', 'processing') and deleted_at is null
      and (claimed_until is null or claimed_until < now())`
  return claimed.count > 0
}

export async function renewClaim(sql: Sql, fileId: FileId, seconds: number): Promise<void> {
  await sql`
    update files set claimed_until = now() + make_interval(secs => ${seconds})
    where id = ${fileId} and status = 'processing'`
}

export async function releaseClaim(sql: Sql, fileId: FileId): Promise<void> {
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
export async function settleFile(tx: Transaction, fileId: FileId, served: Served): Promise<boolean> {
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

/** Counts bytes that are kept for a file, or, where negative, no longer are. False where it was deleted. */
export async function addStoredBytes(tx: Transaction, fileId: FileId, bytes: number): Promise<boolean> {
  const added = await tx`
    with counted as (
      update files set stored_bytes = stored_bytes + ${bytes}
      where id = ${fileId} and deleted_at is null returning project_id)
    update projects set storage_used = storage_used + ${bytes} where id = (select project_id from counted)`
  return added.count > 0
}

/**
 * Keeps others from changing these files until the transaction ends. Every transaction takes files
 * before their project, whose bytes it counts: two that need the same ones never wait for each other.
 */
export async function holdFiles(tx: Transaction, fileIds: FileId[]): Promise<void> {
  await tx`select from files where id = any(${fileIds}) order by id for update`
}

/**
 * Says that something which belongs to a file changes, and keeps others from doing the same until the
 * transaction ends. False where it was deleted.
 */
export async function touchFile(tx: Transaction, fileId: FileId): Promise<boolean> {
  const touched = await tx`
    update files set updated_at = now() where id = ${fileId} and deleted_at is null`
  return touched.count > 0
}

export interface FileChanges {
  name?: string
  /** Empty: none. */
  description?: string
  visibility?: Visibility
  /** In place of all there was. */
  metadata?: Metadata
}

/** Changes as clients send them: null takes away what was said. */
export function fileChangesOf(wanted: {
  name?: string
  description?: string | null
  visibility?: Visibility
  metadata?: Metadata | null
}): FileChanges {
  const { name, visibility } = wanted
  const description = wanted.description === null ? '' : wanted.description
  return {
    name,
    description,
    visibility,
    metadata: wanted.metadata === null ? {} : storable(wanted.metadata),
  }
}

/** Half of a letter, which JSON can hold and the database cannot, becomes the sign for one that is unknown. */
function storable(metadata: Metadata | undefined): Metadata | undefined {
  if (!metadata) return undefined
  const entries = Object.entries(metadata)
  return Object.fromEntries(entries.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]))
}

/** What people call a file and say about it; what is left out stays. False where it was deleted. */
export async function updateFile(tx: Transaction, fileId: FileId, changes: FileChanges): Promise<boolean> {
  const name = changes.name === undefined ? null : Buffer.from(changes.name)
  const updated = await tx`
    update files set name = coalesce(${name}::bytea, name),
      description = coalesce(${changes.description ?? null}, description),
      visibility = coalesce(${changes.visibility ?? null}, visibility),
      metadata = coalesce(${changes.metadata ? tx.json(changes.metadata) : null}::jsonb, metadata), updated_at = now()
    where id = ${fileId} and deleted_at is null`
  return updated.count > 0
}

/** The file is not served any more, though its owner still sees it. */
export async function failFile(tx: Transaction, fileId: FileId): Promise<void> {
  await tx`
    update files set status = 'error', updated_at = now()
    where id = ${fileId} and status = 'ready' and deleted_at is null`
}

export async function restoreFile(tx: Transaction, fileId: FileId): Promise<void> {
  await tx`
    update files set status = 'ready', updated_at = now()
    where id = ${fileId} and status = 'error' and deleted_at is null`
}

/** The file goes with everything that refers to it, and does not count any more; its objects follow. */
export async function removeFile(tx: Transaction, fileId: FileId): Promise<void> {
  await tx`
    with removed as (
      delete from files where id = ${fileId} returning project_id, stored_bytes, deleted_at)
    update projects set storage_used = storage_used - removed.stored_bytes
    from removed where projects.id = removed.project_id and removed.deleted_at is null`
}

/** Of these files, those that were never completed, and that nobody completes at the moment, go; answers which. */
export async function deleteAwaited(tx: Transaction, fileIds: FileId[]): Promise<FileId[]> {
  const rows = await tx<{ id: FileId }[]>`
    delete from files where id = any(${fileIds}) and status in ('uploading', 'processing') and deleted_at is null
      and (claimed_until is null or claimed_until < now())
    returning id`
  return rows.map(({ id }) => id)
}

/** Whether there is such a file, be it in the trash. */
export async function fileExists(sql: Queryable, fileId: FileId): Promise<boolean> {
  const rows = await sql`select from files where id = ${fileId}`
  return rows.length > 0
}

/** Whether it was deleted, so that what was made of it failed for no other reason; false where nobody can say. */
export async function isGone(sql: Sql, projectId: ProjectId, fileId: FileId): Promise<boolean> {
  try {
    return (await findServable(sql, projectId, fileId)) === undefined
  } catch {
    return false
  }
}

export interface ServableFile {
  id: FileId
  project_id: ProjectId
  name: Buffer
  format: string
  object_key: string
  size: number
  etag: string
  updated_at: string
  visibility: Visibility | null
  /** The video or the image that a token has to name, where the file is private; a poster’s video. */
  media_id: VideoId | ImageId | null
  /** Keys that such a token may be signed with. */
  signing_keys: SigningKeyId[] | null
}

/** All that decides who may see it comes with it, so that what is changed anywhere holds for every request after. */
export async function findServable(
  sql: Sql,
  projectId: ProjectId,
  fileId: FileId,
): Promise<ServableFile | undefined> {
  const [row] = await sql<ServableFile[]>`
    select id, project_id, name, format, object_key, size, etag, updated_at, visibility,
      case when visibility = 'private' then coalesce(
        (select v.id from videos v where v.file_id = files.id),
        (select coalesce(i.poster_of, i.id) from images i where i.file_id = files.id)) end as media_id,
      case when visibility = 'private'
        then array(select k.id from signing_keys k where k.project_id = files.project_id) end as signing_keys
    from files
    where id = ${fileId} and project_id = ${projectId} and status = 'ready' and deleted_at is null`
  return row
}
