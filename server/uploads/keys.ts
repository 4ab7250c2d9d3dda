/** Where a client's bytes land; nothing is served from here. */
export const incomingKey = (fileId: string) => `${INCOMING}${fileId}`
export const INCOMING = 'incoming/'

/** Everything that is kept for a file. */
export const prefixOf = (projectId: string, fileId: string) => `media/${projectId}/${fileId}/`
export const originalKey = (projectId: string, fileId: string) => `${prefixOf(projectId, fileId)}original`

/** Everything that is kept for an audio track that was added to a video. */
export const trackPrefix = (projectId: string, fileId: string, trackId: string) =>
  `${prefixOf(projectId, fileId)}tracks/${trackId}/`
export const trackKey = (projectId: string, fileId: string, trackId: string) =>
  `${trackPrefix(projectId, fileId, trackId)}original`

/** The segments of one rendition of a video. */
export const renditionPrefix = (projectId: string, fileId: string, rendition: string) =>
  `${prefixOf(projectId, fileId)}hls/${rendition}/`
