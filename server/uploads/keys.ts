/** Where a client's bytes land; nothing is served from here. */
export const incomingKey = (fileId: string) => `${INCOMING}${fileId}`
export const INCOMING = 'incoming/'

/** Everything that is kept for a file. */
export const prefixOf = (projectId: string, fileId: string) => `media/${projectId}/${fileId}/`
export const originalKey = (projectId: string, fileId: string) => `${prefixOf(projectId, fileId)}original`
