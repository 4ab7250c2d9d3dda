import type { Plan } from '../base/caller.ts'
import type { TrashItem } from '../base/trash.ts'
import { fileOfPoster, postersOf } from '../images/posters.ts'
import type { Queryable, Sql, Transaction } from '../platform/postgres/client.ts'
import type { Chapter, Video, VideoPage } from './schemas.ts'

export type Quality = 'basic' | 'shorts' | 'pro'

export async function insertVideo(
  tx: Transaction,
  video: {
    id: string
    projectId: string
    fileId: string
    posterId: string
    quality: Quality
    planType: Plan
  },
): Promise<void> {
  await tx`
    insert into videos (id, project_id, file_id, poster_id, quality, plan_type)
    values (${video.id}, ${video.projectId}, ${video.fileId}, ${video.posterId}, ${video.quality}, ${video.planType})`
}

/** What belongs to a video, whatever its state; undefined for one that is unknown or deleted. */
export async function findUpload(sql: Queryable, projectId: string, videoId: string) {
  const [row] = await sql<{ file_id: string; poster_id: string; quality: Quality }[]>`
    select file_id, poster_id, quality from videos
    where id = ${videoId} and project_id = ${projectId} and deleted_at is null`
  const posterFileId = row && (await fileOfPoster(sql, row.poster_id))
  return posterFileId
    ? { fileId: row.file_id, posterId: row.poster_id, posterFileId, quality: row.quality }
    : undefined
}

export interface VideoFacts {
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
export async function describeVideo(tx: Transaction, videoId: string, facts: VideoFacts): Promise<void> {
  const { duration, width, height, bitrate, codec, framerate, hdr, chapters } = facts
  await tx`
    update videos set duration = ${duration}, width = ${width}, height = ${height}, bitrate = ${bitrate},
      codec = ${codec}, framerate = ${framerate}, hdr = ${hdr}, chapters = ${tx.json(chapters as never)}
    where id = ${videoId}`
}

export async function setFailure(tx: Transaction, fileId: string, reason: string): Promise<void> {
  await tx`update videos set failure = ${reason} where file_id = ${fileId} and deleted_at is null`
}

export async function clearFailure(tx: Transaction, fileId: string): Promise<boolean> {
  const cleared = await tx`
    update videos set failure = null where file_id = ${fileId} and failure is not null returning id`
  return cleared.length > 0
}

/** Why the rest of a video could not be made, where it could not. */
export async function failureOf(sql: Queryable, fileId: string): Promise<string | undefined> {
  const [row] = await sql<{ failure: string | null }[]>`select failure from videos where file_id = ${fileId}`
  return row?.failure ?? undefined
}

export async function chaptersOf(
  sql: Queryable,
  projectId: string,
  videoId: string,
): Promise<Chapter[] | undefined> {
  const [row] = await sql<{ chapters: Chapter[] }[]>`
    select chapters from videos where id = ${videoId} and project_id = ${projectId} and duration is not null
      and deleted_at is null`
  return row?.chapters
}

export async function updateChapters(tx: Transaction, videoId: string, chapters: Chapter[]): Promise<void> {
  await tx`update videos set chapters = ${tx.json(chapters as never)} where id = ${videoId}`
}

/** The video that shows an image as its poster; its size is there once it is complete. */
export async function videoOfPoster(sql: Queryable, projectId: string, imageId: string) {
  const [row] = await sql<{ id: string; fileId: string; width: number | null; height: number | null }[]>`
    select id, file_id as "fileId", width, height from videos
    where poster_id = ${imageId} and project_id = ${projectId} and deleted_at is null`
  if (!row) return undefined
  const { id, fileId, width, height } = row
  return { id, fileId, size: width && height ? { width, height } : undefined }
}

export async function updatePoster(tx: Transaction, videoId: string, posterId: string): Promise<void> {
  await tx`update videos set poster_id = ${posterId} where id = ${videoId}`
}

/** The file of a video that was completed. */
export async function fileOfVideo(
  sql: Queryable,
  projectId: string,
  videoId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ file_id: string }[]>`
    select file_id from videos where id = ${videoId} and project_id = ${projectId} and duration is not null
      and deleted_at is null`
  return row?.file_id
}

export interface CompletedVideo {
  id: string
  fileId: string
  posterId: string
  duration: number
}

export async function findCompleted(tx: Transaction, videoId: string): Promise<CompletedVideo | undefined> {
  const [row] = await tx<CompletedVideo[]>`
    select id, file_id as "fileId", poster_id as "posterId", duration from videos
    where id = ${videoId} and duration is not null and deleted_at is null`
  return row
}

interface VideoRow extends Omit<Video, 'file' | 'poster'> {
  poster_id: string
  file_id: string
  name: Buffer
  format: string
  size: number
  status: string
  project_id: string
  file_created_at: string
  updated_at: string
}

const columns = (sql: Queryable) => sql`
  v.id, v.poster_id, v.duration, v.width, v.height, v.bitrate, v.codec, v.framerate, v.hdr, v.plan_type, v.chapters,
  v.created_at, f.id as file_id, f.name, f.format, f.size, f.status, f.project_id, f.created_at as file_created_at,
  f.updated_at`

/** A video that was completed; its status may tell that the rest of its processing failed. */
export async function findVideo(
  sql: Queryable,
  projectId: string,
  videoId: string,
  cdnUrl: string,
): Promise<Video | undefined> {
  const rows = await sql<VideoRow[]>`
    select ${columns(sql)} from videos v join files f on f.id = v.file_id
    where v.id = ${videoId} and v.project_id = ${projectId} and v.duration is not null and v.deleted_at is null`
  const [video] = await toVideos(sql, rows, cdnUrl)
  return video
}

const SORTS: Record<VideoPage['sort'], string> = {
  created_at: 'v.created_at',
  name: 'f.name',
  size: 'f.size',
  updated_at: 'f.updated_at',
  duration: 'v.duration',
}

export async function listVideos(sql: Sql, projectId: string, page: VideoPage, cdnUrl: string) {
  const column = sql.unsafe(SORTS[page.sort])
  const order = page.order === 'asc' ? sql`asc` : sql`desc`
  const rows = await sql<VideoRow[]>`
    select ${columns(sql)} from videos v join files f on f.id = v.file_id
    where v.project_id = ${projectId} and v.duration is not null and v.deleted_at is null
    order by ${column} ${order}, v.id ${order} limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from videos
    where project_id = ${projectId} and duration is not null and deleted_at is null`
  return { videos: await toVideos(sql, rows, cdnUrl), total: count!.total }
}

async function toVideos(sql: Queryable, rows: VideoRow[], cdnUrl: string): Promise<Video[]> {
  const posterIds = rows.map((row) => row.poster_id)
  const posters = posterIds.length > 0 ? await postersOf(sql, posterIds, cdnUrl) : new Map()
  return rows.map(({ poster_id, file_id, project_id, name, format, size, status, ...row }) => {
    const { file_created_at: created_at, updated_at, ...video } = row
    const url = `${cdnUrl}/${project_id}/${file_id}`
    const file = { id: file_id, name: name.toString(), format, size, status, url, project_id }
    return { ...video, file: { ...file, created_at, updated_at }, poster: posters.get(poster_id) }
  })
}

/** Those of these videos that were completed; they stay until the transaction ends. */
export async function holdVideos(tx: Transaction, projectId: string, videoIds: string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from videos where id = any(${videoIds}) and project_id = ${projectId} and duration is not null
      and deleted_at is null
    order by id for share`
  return rows.map(({ id }) => id)
}

export async function markDeleted(tx: Transaction, videoId: string): Promise<void> {
  await tx`update videos set deleted_at = now() where id = ${videoId}`
}

export async function listTrashed(sql: Sql): Promise<TrashItem[]> {
  const rows = await sql<(Omit<TrashItem, 'name'> & { name: Buffer })[]>`
    select v.id, 'video' as kind, f.name, v.project_id, v.deleted_at, f.stored_bytes + p.stored_bytes as bytes
    from ${withFiles(sql)} where v.deleted_at is not null`
  return rows.map((row) => ({ ...row, name: row.name.toString() }))
}

export async function findTrashed(sql: Sql, videoId: string) {
  const [row] = await sql<
    { projectId: string; fileId: string; posterId: string; posterFileId: string; bytes: number }[]
  >`
    select v.project_id as "projectId", f.id as "fileId", v.poster_id as "posterId", p.id as "posterFileId",
      f.stored_bytes + p.stored_bytes as bytes
    from ${withFiles(sql)} where v.id = ${videoId} and v.deleted_at is not null`
  return row
}

const withFiles = (sql: Queryable) => sql`
  videos v join files f on f.id = v.file_id join images i on i.id = v.poster_id join files p on p.id = i.file_id`

export async function restoreTrashed(tx: Transaction, videoId: string): Promise<boolean> {
  const restored = await tx`
    update videos set deleted_at = null where id = ${videoId} and deleted_at is not null`
  return restored.count > 0
}

/** The files of all videos of a project that were completed. */
export async function filesOfProject(tx: Transaction, projectId: string): Promise<string[]> {
  const rows = await tx<{ file_id: string }[]>`
    select file_id from videos where project_id = ${projectId} and duration is not null and deleted_at is null`
  return rows.map(({ file_id }) => file_id)
}
