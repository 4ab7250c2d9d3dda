import type { FileId, ProjectId, TrackId } from '../base/ids.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { INIT } from '../transcoding/index.ts'
import { initKey, piecesPrefix, prefixOf, segmentKey, trackKey } from '../uploads/index.ts'

/** A file's record, with what says which objects there must be. */
export interface FileRecord {
  id: FileId
  project_id: ProjectId
  status: string
  object_key: string | null
  size: number
}

export interface FileWithObjects extends FileRecord {
  segments: { rendition: string; number: number; bytes: number }[]
  tracks: { id: TrackId; size: number }[]
  pieces: { key: string; size: number }[]
}

const PAGE = 200

/** Files in the order of the keys of their objects: all, or those whose bytes are still to come or to be looked at. */
export async function* filesOf(
  tx: Transaction,
  which: 'all' | 'arriving' = 'all',
): AsyncGenerator<FileWithObjects> {
  for (let after: Pick<FileRecord, 'project_id' | 'id'> | undefined; ; ) {
    const files = await tx<FileRecord[]>`
      select id, project_id, status, object_key, size from files
      where (project_id collate "C", id collate "C") > (${after?.project_id ?? ''}, ${after?.id ?? ''})
        and (${which === 'all'} or status in ('uploading', 'processing'))
      order by project_id collate "C", id collate "C" limit ${PAGE}`
    if (files.length === 0) return
    const ids = files.map(({ id }) => id)
    const segments = await tx<{ file_id: string; rendition: string; number: number; bytes: number }[]>`
      select file_id, rendition, number, bytes from segments where file_id = any(${ids})`
    const tracks = await tx<{ file_id: string; id: TrackId; size: number }[]>`
      select v.file_id, t.id, t.size from audio_tracks t join videos v on v.id = t.video_id
      where v.file_id = any(${ids})`
    const pieces = await tx<{ file_id: string; pieces: { key: string; size: number }[] }[]>`
      select file_id, pieces from resumable_uploads where file_id = any(${ids}) and received > 0`
    const of = <T extends { file_id: string }>(rows: readonly T[]) => Map.groupBy(rows, (row) => row.file_id)
    const [segmentsOf, tracksOf, piecesOf] = [of(segments), of(tracks), of(pieces)]
    for (const file of files)
      yield {
        ...file,
        segments: segmentsOf.get(file.id) ?? [],
        tracks: tracksOf.get(file.id) ?? [],
        pieces: piecesOf.get(file.id)?.[0]?.pieces ?? [],
      }
    after = files.at(-1)
  }
}

/** What must be there for a file's record to be true: keys, and how long each is. */
export function requiredOf(file: FileWithObjects): Map<string, number> {
  const { id, project_id: project, status, object_key: served, size, segments, tracks } = file
  const required = new Map<string, number>()
  if (status === 'ready' && served) required.set(served, size)
  for (const { rendition, number, bytes } of segments)
    required.set(
      number === INIT ? initKey(project, id, rendition) : segmentKey(project, id, rendition, number),
      bytes,
    )
  for (const track of tracks) required.set(trackKey(project, id, track.id), track.size)
  return required
}

/** Bytes that have come of an upload that is still under way. They may have moved on to the original meanwhile. */
export function arrivingOf(file: FileWithObjects): Map<string, number> {
  const prefix = piecesPrefix(file.id)
  return new Map(file.pieces.filter(({ key }) => key.startsWith(prefix)).map(({ key, size }) => [key, size]))
}

/** Whether an object that lies beside those that must be there is of the moment; what can be made again need not be. */
export function isOfMoment(file: FileWithObjects, key: string, modified: Date, moment: Date): boolean {
  const name = key.slice(prefixOf(file.project_id, file.id).length)
  if (name.startsWith('hls/') || name.startsWith('tracks/')) return false
  return !name.startsWith('storyboard/') || modified <= moment
}
