import type { FileId, ImageId, ProjectId } from '../base/ids.ts'
import type { MediaFilter, Metadata, Visibility } from '../base/media.ts'
import type { TrashItem } from '../base/trash.ts'
import type { FocalPoint } from '../media/images/port.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import { type FileRow, pageOfMatching } from '../uploads/index.ts'
import type { ImagePage } from './schemas.ts'

export interface ImageFacts {
  id: ImageId
  width: number
  height: number
  thumbhash: string
  attached_to_video: boolean
}

export interface ImageRow extends ImageFacts, Omit<FileRow, 'id'> {
  file_id: FileId
  description: string
  focal_x: number | null
  focal_y: number | null
  visibility: Visibility | null
  metadata: Metadata
  created_at: string
  updated_at: string
}

export const columns = (sql: Queryable) => sql`
  i.id, i.width, i.height, i.thumbhash, i.attached_to_video, i.focal_x, i.focal_y, f.id as file_id, f.name, f.description,
  f.visibility, f.metadata, f.format, f.size, f.status, f.project_id, f.created_at, f.updated_at`

export async function insertImage(
  tx: Transaction,
  image: { id: ImageId; projectId: ProjectId; fileId: FileId },
): Promise<void> {
  await tx`insert into images (id, project_id, file_id) values (${image.id}, ${image.projectId}, ${image.fileId})`
}

/** An image that was completed and not deleted. */
export async function findImage(
  sql: Queryable,
  projectId: ProjectId,
  imageId: ImageId,
): Promise<ImageRow | undefined> {
  const [row] = await sql<ImageRow[]>`
    select ${columns(sql)} from images i join files f on f.id = i.file_id
    where i.id = ${imageId} and i.project_id = ${projectId} and i.deleted_at is null and f.status = 'ready'`
  return row
}

/** The file behind an image, whatever its state; undefined for one that is unknown or deleted. */
export async function fileOfImage(
  sql: Queryable,
  projectId: ProjectId,
  imageId: ImageId,
): Promise<FileId | undefined> {
  const [row] = await sql<{ file_id: FileId }[]>`
    select file_id from images where id = ${imageId} and project_id = ${projectId} and deleted_at is null`
  return row?.file_id
}

/** The file of an image that was not completed; a poster belongs to its video. */
export async function fileOfBegun(
  sql: Queryable,
  projectId: ProjectId,
  imageId: ImageId,
): Promise<FileId | undefined> {
  const [row] = await sql<{ file_id: FileId }[]>`
    select file_id from images where id = ${imageId} and project_id = ${projectId} and deleted_at is null
      and width is null and poster_of is null`
  return row?.file_id
}

export async function describeImage(
  tx: Transaction,
  imageId: ImageId,
  facts: { width: number; height: number; thumbhash: string; attachedToVideo: boolean; posterOf?: string },
): Promise<void> {
  // A client may complete a poster as it does any image: it stays one, whatever the client says.
  await tx`
    update images set width = ${facts.width}, height = ${facts.height}, thumbhash = ${facts.thumbhash},
      poster_of = coalesce(${facts.posterOf ?? null}, poster_of),
      attached_to_video = ${facts.attachedToVideo} or poster_of is not null
    where id = ${imageId}`
}

/** What stays in view where an image is cut; null takes it away. */
export async function setFocalPoint(
  tx: Transaction,
  imageId: ImageId,
  point: FocalPoint | null,
): Promise<void> {
  await tx`update images set focal_x = ${point?.x ?? null}, focal_y = ${point?.y ?? null} where id = ${imageId}`
}

export async function focalPointOf(sql: Queryable, fileId: FileId): Promise<FocalPoint | undefined> {
  const [row] = await sql<FocalPoint[]>`
    select focal_x as x, focal_y as y from images where file_id = ${fileId} and focal_x is not null`
  return row
}

/** Which images these are is known by the library; it has no posters, which are among those that are attached to videos. */
export function listImages(sql: Sql, projectId: ProjectId, page: ImagePage & MediaFilter) {
  const { attached_to_video: isAttached } = page
  const images = isAttached
    ? ({ list: 'attached', from: sql`from attached_items m`, and: sql`` } as const)
    : ({
        list: isAttached === undefined ? 'images' : 'unattached',
        from: sql`from media_items m`,
        and: sql`and m.kind = 'image' ${isAttached === undefined ? sql`` : sql`and not m.is_attached`}`,
      } as const)
  return pageOfMatching(
    sql,
    page,
    { projectId, ...images },
    (found, inOrder) =>
      sql<ImageRow[]>`
        select ${columns(sql)} from ${found} join images i on i.id = m.id join files f on f.id = i.file_id ${inOrder}`,
  )
}

/**
 * Marks an image as deleted and answers its file; undefined where there is nothing to delete. The file is taken before its row
 * in the lists, as everybody does who takes both.
 */
export async function markDeleted(
  tx: Transaction,
  projectId: ProjectId,
  imageId: ImageId,
): Promise<FileId | undefined> {
  const [row] = await tx<{ file_id: FileId }[]>`
    with held as (
      select f.id from images i join files f on f.id = i.file_id
      where i.id = ${imageId} and i.project_id = ${projectId} for update of f
    )
    update images set deleted_at = now() from held
    where file_id = held.id and deleted_at is null and width is not null and poster_of is null returning file_id`
  return row?.file_id
}

/** Those that are not there only as the posters of videos. */
export async function listTrashed(sql: Sql): Promise<TrashItem[]> {
  const rows = await sql<(Omit<TrashItem, 'name'> & { name: Buffer })[]>`
    select i.id, 'image' as kind, f.name, i.project_id, i.deleted_at, f.stored_bytes as bytes
    from images i join files f on f.id = i.file_id where i.deleted_at is not null and i.poster_of is null`
  return rows.map((row) => ({ ...row, name: row.name.toString() }))
}

export interface TrashedImage {
  projectId: ProjectId
  fileId: FileId
  bytes: number
}

export async function findTrashed(sql: Sql, imageId: ImageId): Promise<TrashedImage | undefined> {
  const [row] = await sql<TrashedImage[]>`
    select i.project_id as "projectId", f.id as "fileId", f.stored_bytes as bytes
    from images i join files f on f.id = i.file_id
    where i.id = ${imageId} and i.deleted_at is not null and i.poster_of is null`
  return row
}

export async function restoreTrashed(tx: Transaction, imageId: ImageId): Promise<boolean> {
  const restored = await tx`
    update images set deleted_at = null where id = ${imageId} and deleted_at is not null and poster_of is null`
  return restored.count > 0
}

/** Those of these images that are there by themselves, not as posters, and stay so until the transaction ends. */
export async function holdImages(
  tx: Transaction,
  projectId: ProjectId,
  imageIds: ImageId[],
): Promise<ImageId[]> {
  const rows = await tx<{ id: ImageId }[]>`
    select id from images where id = any(${imageIds}) and project_id = ${projectId} and deleted_at is null
      and width is not null and poster_of is null
    order by id for share`
  return rows.map(({ id }) => id)
}
