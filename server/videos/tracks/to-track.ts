import type { AudioTrack } from '../schemas.ts'
import type { TrackRow } from './store.ts'

export function toTrack(row: TrackRow, projectId: string, fileId: string, cdnUrl: string): AudioTrack {
  const url = `${cdnUrl}/${projectId}/${fileId}/tracks/${row.id}.${row.format}`
  return { ...row, name: row.name.toString(), url }
}
