import type { FileId, ProjectId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { audioChoices, type Presentations, type Rendition, videoChoices } from './presentation.ts'
import { countSegments, findRates } from './store.ts'

export interface RenditionProgress {
  name: string
  kind: 'video' | 'audio'
  segments_made: number
  segments: number
  width?: number
  height?: number
  language_code?: string
}

export interface FileProgress {
  /** Whether all is made, and the playlists tell what it really takes. */
  isSettled: boolean
  /** What of the file is not offered, and why. */
  notes: string[]
  renditions: RenditionProgress[]
}

/** How many segments of each rendition are made; undefined for a file that is not played. */
export async function progressOf(
  { projectId, fileId }: { projectId: ProjectId; fileId: FileId },
  { sql, presentations }: { sql: Sql; presentations: Presentations },
): Promise<FileProgress | undefined> {
  const presentation = await presentations.find(projectId, fileId)
  if (!presentation) return undefined
  const [made, rates] = await Promise.all([countSegments(sql, fileId), findRates(sql, fileId)])
  const describe = (choice: Rendition): RenditionProgress => ({
    name: choice.name,
    kind: choice.kind,
    segments_made: made[choice.name] ?? 0,
    segments: presentation.plan.segments.length,
    ...(choice.kind === 'video'
      ? { width: choice.video.width, height: choice.video.height }
      : { language_code: choice.language }),
  })
  const renditions = [...videoChoices(presentation), ...audioChoices(presentation)].map(describe)
  const notes = presentation.plan.notes ?? []
  return { renditions, notes, isSettled: renditions.every(({ name }) => rates[name] !== undefined) }
}
