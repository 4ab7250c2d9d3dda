import type { ProjectId } from './ids.ts'
/** Something that was deleted and can still be brought back. */
export interface TrashItem {
  id: string
  kind: 'project' | 'feed' | 'video' | 'image'
  name: string
  project_id: ProjectId
  deleted_at: string
  /** What storage still holds for it, and counts on its project again once it is back. */
  bytes: number
}

/** What goes for good: all that has been in the trash for so long, or only one thing of it. */
export interface Due {
  seconds: number
  only?: string
}
