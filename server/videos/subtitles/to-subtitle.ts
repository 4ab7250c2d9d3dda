import type { CdnUrl } from '../../base/cdn-url.ts'
import type { FileId, ProjectId } from '../../base/ids.ts'
import { folderUrl, subtitleUrl } from '../../uploads/index.ts'
import type { Subtitle } from '../language-schemas.ts'
import type { SubtitleRow } from './store.ts'

export function toSubtitle(row: SubtitleRow, projectId: ProjectId, fileId: FileId, cdnUrl: CdnUrl): Subtitle {
  const url = subtitleUrl(folderUrl(cdnUrl, projectId, fileId), row.id)
  return { ...row, name: row.name.toString(), url }
}
