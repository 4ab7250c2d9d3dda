import type { CdnUrl } from '../../base/cdn-url.ts'
import type { FileId, ProjectId } from '../../base/ids.ts'
import { folderUrl, trackUrl } from '../../uploads/index.ts'
import type { AudioTrack } from '../language-schemas.ts'
import type { TrackRow } from './store.ts'

export function toTrack(row: TrackRow, projectId: ProjectId, fileId: FileId, cdnUrl: CdnUrl): AudioTrack {
  const url = trackUrl(folderUrl(cdnUrl, projectId, fileId), row.id, row.format)
  return { ...row, name: row.name.toString(), url }
}
