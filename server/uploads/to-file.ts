import type { CdnUrl } from '../base/cdn-url.ts'
import type { FileId, ProjectId, SubtitleId, TrackId } from '../base/ids.ts'

export interface FileRow {
  id: FileId
  name: Buffer
  format: string
  size: number
  status: string
  project_id: ProjectId
}

/** A file as every kind of media shows it. */
export function toFile({ id, name, format, size, status, project_id }: FileRow, cdnUrl: CdnUrl) {
  const url = fileUrl(cdnUrl, project_id, id)
  return { id, name: name.toString(), format, size, status, url, project_id }
}

/** Public addresses of media, all below those of delivery (`cdnUrl`): every one is written here. */
const fileUrl = (cdnUrl: CdnUrl, projectId: ProjectId, fileId: FileId) =>
  `${cdnUrl.of(projectId)}/${projectId}/${fileId}`

/** What relative addresses of a video's playlists and storyboard are below. */
export const folderUrl = (cdnUrl: CdnUrl, projectId: ProjectId, fileId: FileId) =>
  `${fileUrl(cdnUrl, projectId, fileId)}/`

export const subtitleUrl = (folder: string, subtitleId: SubtitleId) => `${folder}subtitles/${subtitleId}.vtt`

/** The sound of a video as one file. */
export const soundUrl = (folder: string) => `${folder}/audio.m4a`

/** A video as one file. */
export const downloadUrl = (folder: string) => `${folder}/download.mp4`

export const trackUrl = (folder: string, trackId: TrackId, format: string) =>
  `${folder}tracks/${trackId}.${format}`
