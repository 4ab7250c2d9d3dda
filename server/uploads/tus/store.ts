import type { FileId } from '../../base/ids.ts'
import type { PartialBody } from '../../platform/objects/port.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'

/** A writer that was not heard of for so long has lost its place to whoever comes next. */
const SILENT_SECONDS = 3

export interface ResumableUpload {
  length: number | null
  announced: number
  received: number
  pieces: PartialBody['pieces']
  /** Somebody appends at this moment. */
  busy: boolean
  terminated: boolean
}

export async function findResumable(sql: Queryable, fileId: FileId): Promise<ResumableUpload | undefined> {
  const [row] = await sql<ResumableUpload[]>`
    select length, announced, received, pieces, terminated, ${isBusy(sql)} as busy
    from resumable_uploads where file_id = ${fileId}`
  return row
}

const isBusy = (sql: Queryable) => sql`
  (writer is not null and heard_at > now() - make_interval(secs => ${SILENT_SECONDS}))`

/** How long a file will be, said before anything of it is sent. */
export async function insertLength(tx: Transaction, fileId: FileId, length: number): Promise<void> {
  await tx`insert into resumable_uploads (file_id, length) values (${fileId}, ${length})`
}

/** Begins anew: what had arrived does not count any more. False where somebody appends at the moment. */
export async function resetResumable(sql: Sql, fileId: FileId, length: number): Promise<boolean> {
  const reset = await sql`
    insert into resumable_uploads (file_id, length) values (${fileId}, ${length})
    on conflict (file_id) do update set length = excluded.length, announced = 0, received = 0, pieces = '[]',
      writer = null, terminated = false
    where not (resumable_uploads.writer is not null
      and resumable_uploads.heard_at > now() - make_interval(secs => ${SILENT_SECONDS}))`
  return reset.count > 0
}

export interface ResumableClaim {
  writer: string
  offset: number
  length: number | undefined
  /** Where the append would end, as far as its request tells. */
  announced: number
}

/** From now on this one appends, from this offset on; false where another does, or where the offset is another. */
export async function claimResumable(sql: Sql, fileId: FileId, claim: ResumableClaim): Promise<boolean> {
  const { writer, offset, length = null, announced } = claim
  const claimed = await sql`
    insert into resumable_uploads (file_id, writer, length, announced)
    select ${fileId}::text, ${writer}::text, ${length}::bigint, ${announced}::bigint where ${offset}::bigint = 0
      or exists (select from resumable_uploads where file_id = ${fileId})
    on conflict (file_id) do update set writer = excluded.writer, heard_at = now(),
      length = coalesce(resumable_uploads.length, excluded.length),
      announced = greatest(resumable_uploads.announced, excluded.announced)
    where resumable_uploads.received = ${offset} and not resumable_uploads.terminated
      and not (resumable_uploads.writer is not null
        and resumable_uploads.heard_at > now() - make_interval(secs => ${SILENT_SECONDS}))`
  return claimed.count > 0
}

/** What a writer has brought is on the disk. False where another has taken its place. */
export async function noteReceived(
  sql: Sql,
  fileId: FileId,
  writer: string,
  { size, pieces }: PartialBody,
): Promise<boolean> {
  const noted = await sql`
    update resumable_uploads set received = ${size}, pieces = ${sql.json(pieces as never)}, heard_at = now()
    where file_id = ${fileId} and writer = ${writer}`
  return noted.count > 0
}

/** What has arrived is all of a file whose length was not known. False where another number of bytes is there by now. */
export async function noteWhole(sql: Sql, fileId: FileId, length: number): Promise<boolean> {
  const noted = await sql`
    update resumable_uploads set length = received where file_id = ${fileId} and received = ${length}`
  return noted.count > 0
}

export async function releaseWriter(sql: Sql, fileId: FileId, writer: string): Promise<void> {
  await sql`update resumable_uploads set writer = null where file_id = ${fileId} and writer = ${writer}`
}

/** Ends it, whoever appends: they find out with the next bytes. */
export async function terminateResumable(sql: Sql, fileId: FileId): Promise<void> {
  await sql`
    insert into resumable_uploads (file_id, terminated) values (${fileId}, true)
    on conflict (file_id) do update set terminated = true, received = 0, announced = 0, pieces = '[]', writer = null`
}

/** The file came another way, or was taken from here. */
export async function deleteResumable(sql: Queryable, fileId: FileId): Promise<boolean> {
  const deleted = await sql`delete from resumable_uploads where file_id = ${fileId}`
  return deleted.count > 0
}
