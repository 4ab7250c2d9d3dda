import type { FileId, SubtitleId, VideoId } from '../../base/ids.ts'
import type { Queryable, Transaction } from '../../platform/postgres/client.ts'

export interface SubtitleRow {
  id: SubtitleId
  video_id: VideoId
  language_code: string
  label: string
  name: Buffer
  size: number
  created_at: string
}

export interface NewSubtitle {
  id: SubtitleId
  videoId: VideoId
  position: number
  language: string
  label: string
  name: string
  size: number
  body: string
}

const columns = (sql: Queryable) => sql`id, video_id, language_code, label, name, size, created_at`

export function listSubtitles(sql: Queryable, videoId: VideoId): Promise<SubtitleRow[]> {
  return sql<
    SubtitleRow[]
  >`select ${columns(sql)} from subtitles where video_id = ${videoId} order by position`
}

export function subtitlesWithBodies(sql: Queryable, videoId: VideoId) {
  return sql<(SubtitleRow & { body: string })[]>`
    select ${columns(sql)}, body from subtitles where video_id = ${videoId} order by position`
}

export async function insertSubtitle(tx: Transaction, subtitle: NewSubtitle): Promise<SubtitleRow> {
  const { id, videoId, position, language, label, name, size, body } = subtitle
  const [row] = await tx<SubtitleRow[]>`
    insert into subtitles (id, video_id, position, language_code, label, name, size, body)
    values (${id}, ${videoId}, ${position}, ${language}, ${label}, ${Buffer.from(name)}, ${size}, ${body})
    returning ${columns(tx)}`
  return row!
}

/** Deletes all subtitles of a video, or the one of this id or language, and tells how many bytes each had. */
export function deleteSubtitles(tx: Transaction, videoId: VideoId, idOrLanguage?: string) {
  return tx<{ position: number; bytes: number }[]>`
    delete from subtitles
    where video_id = ${videoId} and (${idOrLanguage ?? null}::text is null
      or id = ${idOrLanguage ?? null} or language_code = ${idOrLanguage ?? null})
    returning position, octet_length(body) as bytes`
}

/** The place after the last. */
export async function nextPosition(tx: Transaction, videoId: VideoId): Promise<number> {
  const [row] = await tx<{ next: number }[]>`
    select coalesce(max(position) + 1, 0) as next from subtitles where video_id = ${videoId}`
  return row!.next
}

export interface SubtitleRendition {
  id: SubtitleId
  language_code: string
  label: string
  position: number
}

export function subtitlesOfFile(sql: Queryable, fileId: FileId): Promise<SubtitleRendition[]> {
  return sql<SubtitleRendition[]>`
    select s.id, s.language_code, s.label, s.position from subtitles s join videos v on v.id = s.video_id
    where v.file_id = ${fileId} order by s.position`
}

export async function subtitleBody(
  sql: Queryable,
  fileId: FileId,
  subtitleId: SubtitleId,
): Promise<string | undefined> {
  const [row] = await sql<{ body: string }[]>`
    select s.body from subtitles s join videos v on v.id = s.video_id
    where v.file_id = ${fileId} and s.id = ${subtitleId}`
  return row?.body
}
