import type { Plan } from '../base/caller.ts'
import type { FileId, ImageId, ProjectId, VideoId } from '../base/ids.ts'
import type { MediaFilter, Metadata, Visibility } from '../base/media.ts'
import type { TrashItem } from '../base/trash.ts'
import type { Quality } from '../media/video/ladder.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import { type FileRow, pageOfMatching } from '../uploads/index.ts'
import type { Chapter, Video, VideoPage } from './schemas.ts'

export async function insertVideo(
  tx: Transaction,
  video: {
    id: VideoId
    projectId: ProjectId
    fileId: FileId
    posterId: ImageId
    quality: Quality
    planType: Plan
    clipOf?: VideoId
  },
): Promise<void> {
  await tx`
    insert into videos (id, project_id, file_id, poster_id, quality, plan_type, clip_of)
    values (${video.id}, ${video.projectId}, ${video.fileId}, ${video.posterId}, ${video.quality}, ${video.planType},
      ${video.clipOf ?? null})`
}

/** What belongs to a video, whatever its state; undefined for one that is unknown or deleted. */
export async function findUpload(sql: Queryable, projectId: ProjectId, videoId: VideoId) {
  // In one statement: its poster may be exchanged for another at any moment.
  const [row] = await sql<{ fileId: FileId; posterId: ImageId; posterFileId: FileId; quality: Quality }[]>`
    select v.file_id as "fileId", v.poster_id as "posterId", i.file_id as "posterFileId", v.quality
    from videos v join images i on i.id = v.poster_id
    where v.id = ${videoId} and v.project_id = ${projectId} and v.deleted_at is null and i.deleted_at is null`
  return row
}

export interface StoredVideoFacts {
  duration: number
  width: number
  height: number
  bitrate: number
  codec: string
  framerate: string
  hdr: boolean
  chapters: Chapter[]
}

/** The upload is complete: this is what was found in it. */
export async function describeVideo(
  tx: Transaction,
  videoId: VideoId,
  facts: StoredVideoFacts,
): Promise<void> {
  const { duration, width, height, bitrate, codec, framerate, hdr, chapters } = facts
  await tx`
    update videos set duration = ${duration}, width = ${width}, height = ${height}, bitrate = ${bitrate},
      codec = ${codec}, framerate = ${framerate}, hdr = ${hdr}, chapters = ${tx.json(chapters as never)}
    where id = ${videoId}`
}

export async function setFailure(tx: Transaction, fileId: FileId, reason: string): Promise<void> {
  await tx`update videos set failure = ${reason} where file_id = ${fileId} and deleted_at is null`
}

export async function clearFailure(tx: Transaction, fileId: FileId): Promise<boolean> {
  const cleared = await tx`
    update videos set failure = null where file_id = ${fileId} and failure is not null returning id`
  return cleared.length > 0
}

/** Only the first time counts: a track that is added later is filled up as well. */
export async function setProcessed(sql: Queryable, fileId: FileId): Promise<void> {
  await sql`update videos set processed_at = now() where file_id = ${fileId} and processed_at is null and deleted_at is null`
}

/** Whether everything of a video has been made, as is told of it, and why the rest could not be, where it could not. */
export async function outcomeOf(
  sql: Queryable,
  fileId: FileId,
): Promise<{ failure: string | null; processed: boolean } | undefined> {
  const [row] = await sql<{ failure: string | null; processed: boolean }[]>`
    select failure, processed_at is not null as processed from videos where file_id = ${fileId}`
  return row
}

export async function chaptersOf(
  sql: Queryable,
  projectId: ProjectId,
  videoId: VideoId,
): Promise<Chapter[] | undefined> {
  const [row] = await sql<{ chapters: Chapter[] }[]>`
    select chapters from videos where id = ${videoId} and project_id = ${projectId} and duration is not null
      and deleted_at is null`
  return row?.chapters
}

export async function findChapters(tx: Transaction, videoId: VideoId): Promise<Chapter[]> {
  const [row] = await tx<{ chapters: Chapter[] }[]>`select chapters from videos where id = ${videoId}`
  return row?.chapters ?? []
}

export async function updateChapters(tx: Transaction, videoId: VideoId, chapters: Chapter[]): Promise<void> {
  await tx`update videos set chapters = ${tx.json(chapters as never)} where id = ${videoId}`
}

/** The video that shows an image as its poster; its size is there once it is complete. */
export async function videoOfPoster(sql: Queryable, projectId: ProjectId, imageId: ImageId) {
  const [row] = await sql<{ id: VideoId; fileId: FileId; width: number | null; height: number | null }[]>`
    select id, file_id as "fileId", width, height from videos
    where poster_id = ${imageId} and project_id = ${projectId} and deleted_at is null`
  if (!row) return undefined
  const { id, fileId, width, height } = row
  return { id, fileId, size: width && height ? { width, height } : undefined }
}

export async function updatePoster(tx: Transaction, videoId: VideoId, posterId: ImageId): Promise<void> {
  await tx`update videos set poster_id = ${posterId} where id = ${videoId}`
}

/** The file of a video that was completed. */
export async function fileOfVideo(
  sql: Queryable,
  projectId: ProjectId,
  videoId: VideoId,
): Promise<FileId | undefined> {
  const [row] = await sql<{ file_id: FileId }[]>`
    select file_id from videos where id = ${videoId} and project_id = ${projectId} and duration is not null
      and deleted_at is null`
  return row?.file_id
}

export interface CompletedVideo {
  id: VideoId
  fileId: FileId
  posterId: ImageId
  duration: number
}

export async function findCompleted(tx: Transaction, videoId: VideoId): Promise<CompletedVideo | undefined> {
  const [row] = await tx<CompletedVideo[]>`
    select id, file_id as "fileId", poster_id as "posterId", duration from videos
    where id = ${videoId} and duration is not null and deleted_at is null`
  return row
}

export type VideoFields = Omit<Video, 'file' | 'poster' | 'description' | 'visibility' | 'metadata'>

export interface VideoRow extends VideoFields, Omit<FileRow, 'id'> {
  poster_id: ImageId
  file_id: FileId
  description: string
  visibility: Visibility | null
  metadata: Metadata
  file_created_at: string
  updated_at: string
}

const columns = (sql: Queryable) => sql`
  v.id, v.poster_id, v.duration, v.width, v.height, v.bitrate, v.codec, v.framerate, v.hdr, v.plan_type, v.chapters,
  v.created_at, f.id as file_id, f.name, f.description, f.visibility, f.metadata, f.format, f.size, f.status, f.project_id,
  f.created_at as file_created_at, f.updated_at`

/** A video that was completed; its status may tell that the rest of its processing failed. */
export async function findVideo(
  sql: Queryable,
  projectId: ProjectId,
  videoId: VideoId,
): Promise<VideoRow | undefined> {
  const [row] = await sql<VideoRow[]>`
    select ${columns(sql)} from videos v join files f on f.id = v.file_id
    where v.id = ${videoId} and v.project_id = ${projectId} and v.duration is not null and v.deleted_at is null`
  return row
}

/** Which these are is known by the library, which has all of them. */
export function listVideos(sql: Sql, projectId: ProjectId, page: VideoPage & MediaFilter) {
  const from = sql`from media_items m`
  const videos = { projectId, list: 'videos', from, and: sql`and m.kind = 'video'` } as const
  return pageOfMatching(
    sql,
    page,
    videos,
    (found, inOrder) =>
      sql<VideoRow[]>`
        select ${columns(sql)} from ${found} join videos v on v.id = m.id join files f on f.id = v.file_id ${inOrder}`,
  )
}

/** Those of these videos that were completed; they stay until the transaction ends. */
export async function holdVideos(
  tx: Transaction,
  projectId: ProjectId,
  videoIds: VideoId[],
): Promise<VideoId[]> {
  const rows = await tx<{ id: VideoId }[]>`
    select id from videos where id = any(${videoIds}) and project_id = ${projectId} and duration is not null
      and deleted_at is null
    order by id for share`
  return rows.map(({ id }) => id)
}

export async function markDeleted(tx: Transaction, videoId: VideoId): Promise<void> {
  await tx`update videos set deleted_at = now() where id = ${videoId}`
}

export async function listTrashed(sql: Sql): Promise<TrashItem[]> {
  const rows = await sql<(Omit<TrashItem, 'name'> & { name: Buffer })[]>`
    select v.id, 'video' as kind, f.name, v.project_id, v.deleted_at, f.stored_bytes + p.stored_bytes as bytes
    from ${withFiles(sql)} where v.deleted_at is not null`
  return rows.map((row) => ({ ...row, name: row.name.toString() }))
}

export interface TrashedVideo {
  projectId: ProjectId
  fileId: FileId
  posterId: ImageId
  posterFileId: FileId
  bytes: number
}

export async function findTrashed(sql: Sql, videoId: VideoId): Promise<TrashedVideo | undefined> {
  const [row] = await sql<TrashedVideo[]>`
    select v.project_id as "projectId", f.id as "fileId", v.poster_id as "posterId", p.id as "posterFileId",
      f.stored_bytes + p.stored_bytes as bytes
    from ${withFiles(sql)} where v.id = ${videoId} and v.deleted_at is not null`
  return row
}

const withFiles = (sql: Queryable) => sql`
  videos v join files f on f.id = v.file_id join images i on i.id = v.poster_id join files p on p.id = i.file_id`

export async function restoreTrashed(tx: Transaction, videoId: VideoId): Promise<boolean> {
  const restored = await tx`
    update videos set deleted_at = null where id = ${videoId} and deleted_at is not null`
  return restored.count > 0
}

/** The files of all videos of a project that were completed. */
export async function filesOfProject(tx: Transaction, projectId: ProjectId): Promise<FileId[]> {
  const rows = await tx<{ file_id: FileId }[]>`
    select file_id from videos where project_id = ${projectId} and duration is not null and deleted_at is null`
  return rows.map(({ file_id }) => file_id)
}
