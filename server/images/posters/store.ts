import type { FileId, ImageId, ProjectId, VideoId } from '../../base/ids.ts'
import type { Queryable, Transaction } from '../../platform/postgres/client.ts'
import { columns, type ImageRow } from '../store.ts'

/** An image that is, or is to become, the poster of a video. */
export async function insertPoster(
  tx: Transaction,
  poster: { id: ImageId; projectId: ProjectId; fileId: FileId; videoId?: VideoId },
): Promise<void> {
  await tx`
    insert into images (id, project_id, file_id, attached_to_video, poster_of)
    values (${poster.id}, ${poster.projectId}, ${poster.fileId}, true, ${poster.videoId ?? null})`
}

/** These posters, all of them ready. */
export async function findPosters(sql: Queryable, imageIds: ImageId[]): Promise<ImageRow[]> {
  return sql<ImageRow[]>`
    select ${columns(sql)} from images i join files f on f.id = i.file_id where i.id = any(${imageIds})`
}

export async function fileOfPoster(sql: Queryable, imageId: ImageId): Promise<FileId | undefined> {
  const [row] = await sql<{ file_id: FileId }[]>`
    select file_id from images where id = ${imageId} and deleted_at is null`
  return row?.file_id
}

/** Marks a poster as deleted, as that of its video or as an image by itself, and answers its file. */
export async function markTrashed(
  tx: Transaction,
  imageId: ImageId,
  { withVideo }: { withVideo: boolean },
): Promise<FileId | undefined> {
  const [row] = await tx<{ file_id: FileId }[]>`
    update images set deleted_at = now(), poster_of = case when ${withVideo} then poster_of end
    where id = ${imageId} and deleted_at is null returning file_id`
  return row?.file_id
}

/** Together with its video. */
export async function restorePoster(tx: Transaction, imageId: ImageId): Promise<void> {
  await tx`update images set deleted_at = null where id = ${imageId}`
}

export async function isReady(sql: Queryable, imageId: ImageId): Promise<boolean> {
  const rows = await sql`
    select from images where id = ${imageId} and deleted_at is null and width is not null`
  return rows.length > 0
}

/** Whether an image that was completed is the poster of a video. */
export async function isPoster(sql: Queryable, projectId: ProjectId, imageId: ImageId): Promise<boolean> {
  const rows = await sql`
    select from images where id = ${imageId} and project_id = ${projectId} and deleted_at is null
      and width is not null and poster_of is not null`
  return rows.length > 0
}
