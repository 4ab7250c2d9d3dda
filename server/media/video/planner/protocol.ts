import type { Quality } from '../ladder.ts'
import type { ClipWindow } from '../window.ts'

/** The descriptor under which a planner has the file. */
export const SOURCE_FD = 3

/** A file is planned as a whole, or a part of it. */
export interface Task {
  quality: Quality
  window?: ClipWindow
}

/** What a planner is told: the task, with ffprobe's description; then a listing in pieces, if it wants one. */
export type Told = { task: Task } | { listing: 'more' | 'end' }

/** What a planner says: perhaps that it wants a listing, and then a refusal, or a plan as payload. */
export type Said = { wants: 'listing' } | { refusal: string } | { planned: true }
