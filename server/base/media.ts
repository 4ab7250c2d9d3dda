export const VISIBILITIES = ['public', 'unlisted', 'private'] as const
/** Who may see media. */
export type Visibility = (typeof VISIBILITIES)[number]

/** What an app keeps about its media. */
export type Metadata = Record<string, string>

/** What can be asked for: also what is told apart by how much of it is made. */
export const WANTED_STATUSES = ['ready', 'error', 'processing', 'complete'] as const
export type WantedStatus = (typeof WANTED_STATUSES)[number]

/** Which media of a project a list shows, as clients say it. */
export interface MediaFilter {
  q?: string
  visibility?: Visibility
  status?: WantedStatus
  metadata?: Metadata
}

/** What records say only where somebody has said it. */
export function saidOf(row: { description: string; visibility: Visibility | null; metadata: Metadata }) {
  const { description, visibility, metadata } = row
  return {
    ...(description && { description }),
    ...(visibility && { visibility }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}
