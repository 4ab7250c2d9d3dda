import type { FileId, TrackId, VideoId } from '../../base/ids.ts'
import type { AudioFormat } from '../../media/video/probe-audio.ts'
import type { Queryable, Transaction } from '../../platform/postgres/client.ts'

export interface TrackRow {
  id: TrackId
  video_id: VideoId
  language_code: string
  label: string
  name: Buffer
  format: string
  size: number
  created_at: string
}

export interface NewTrack {
  id: TrackId
  videoId: VideoId
  position: number
  language: string
  label: string
  name: string
  format: string
  size: number
}

const columns = (sql: Queryable) => sql`id, video_id, language_code, label, name, format, size, created_at`

export function listTracks(sql: Queryable, videoId: VideoId): Promise<TrackRow[]> {
  return sql<
    TrackRow[]
  >`select ${columns(sql)} from audio_tracks where video_id = ${videoId} order by position`
}

export async function insertTrack(tx: Transaction, track: NewTrack): Promise<TrackRow> {
  const { id, videoId, position, language, label, name, format, size } = track
  const [row] = await tx<TrackRow[]>`
    insert into audio_tracks (id, video_id, position, language_code, label, name, format, size)
    values (${id}, ${videoId}, ${position}, ${language}, ${label}, ${Buffer.from(name)}, ${format}, ${size})
    returning ${columns(tx)}`
  return row!
}

export interface DeletedTrack {
  id: TrackId
  position: number
  size: number
}

/** Deletes all tracks of a video, or the one of this id or language. */
export function deleteTracks(
  tx: Transaction,
  videoId: VideoId,
  idOrLanguage?: string,
): Promise<DeletedTrack[]> {
  return tx<DeletedTrack[]>`
    delete from audio_tracks
    where video_id = ${videoId} and (${idOrLanguage ?? null}::text is null
      or id = ${idOrLanguage ?? null} or language_code = ${idOrLanguage ?? null})
    returning id, position, size`
}

/** The place after the last. */
export async function nextPosition(tx: Transaction, videoId: VideoId): Promise<number> {
  const [row] = await tx<{ next: number }[]>`
    select coalesce(max(position) + 1, 0) as next from audio_tracks where video_id = ${videoId}`
  return row!.next
}

export interface TrackRendition {
  id: TrackId
  language_code: string
  label: string
  format: AudioFormat
  size: number
  created_at: string
}

export function tracksOfFile(sql: Queryable, fileId: FileId): Promise<TrackRendition[]> {
  return sql<TrackRendition[]>`
    select t.id, t.language_code, t.label, t.format, t.size, t.created_at
    from audio_tracks t join videos v on v.id = t.video_id where v.file_id = ${fileId} order by t.position`
}
