import type { Subtitle } from '../schemas.ts'
import type { SubtitleRow } from './store.ts'

export function toSubtitle(row: SubtitleRow, projectId: string, fileId: string, cdnUrl: string): Subtitle {
  const url = `${cdnUrl}/${projectId}/${fileId}/subtitles/${row.id}.vtt`
  return { ...row, name: row.name.toString(), url }
}
