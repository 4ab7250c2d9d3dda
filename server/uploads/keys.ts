import type { FileId, ProjectId, TrackId } from '../base/ids.ts'
/** The layout of the object store: every key is made here, but those of versions of the packages (`sdk/`). */

/** Where a client's bytes land; nothing is served from here. */
export const incomingKey = (fileId: FileId) => `${INCOMING}${fileId}`
export const INCOMING = 'incoming/'

/** Where those of them lie that come in several requests, until all have come. */
export const piecesPrefix = (fileId: FileId) => `${PIECES}${fileId}/`
export const PIECES = 'incoming-pieces/'

/** Everything that is kept for a file. */
export const prefixOf = (projectId: ProjectId, fileId: FileId) => `media/${projectId}/${fileId}/`
export const originalKey = (projectId: ProjectId, fileId: FileId) => `${prefixOf(projectId, fileId)}original`

/** An encoding of an image, by its name. */
export const encodingKey = (projectId: ProjectId, fileId: FileId, name: string, format = 'avif') =>
  `${prefixOf(projectId, fileId)}${name}.${format}`

/** Everything that is kept for an audio track that was added to a video. */
export const trackPrefix = (projectId: ProjectId, fileId: FileId, trackId: TrackId) =>
  `${prefixOf(projectId, fileId)}tracks/${trackId}/`
export const trackKey = (projectId: ProjectId, fileId: FileId, trackId: TrackId) =>
  `${trackPrefix(projectId, fileId, trackId)}original`

/** The segments of one rendition of a video. */
export const renditionPrefix = (projectId: ProjectId, fileId: FileId, rendition: string) =>
  `${prefixOf(projectId, fileId)}hls/${rendition}/`
export const initKey = (projectId: ProjectId, fileId: FileId, rendition: string) =>
  `${renditionPrefix(projectId, fileId, rendition)}init.mp4`
export const segmentKey = (projectId: ProjectId, fileId: FileId, rendition: string, number: number) =>
  `${renditionPrefix(projectId, fileId, rendition)}${number}.m4s`

/** A sprite sheet of a video's storyboard. */
export const sheetKey = (projectId: ProjectId, fileId: FileId, sheet: number) =>
  `${prefixOf(projectId, fileId)}storyboard/${sheet}.jpg`
