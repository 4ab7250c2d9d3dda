import type { Caller } from './caller.ts'
import type { OrganizationId, ProjectId } from './ids.ts'

/** A request of somebody known that was answered with 400 or above. */
export interface FailedRequest {
  id: string
  method: string
  /** The address as its route writes it: `/videos/:videoId`. */
  route: string
  /** As it was asked for, without its query. */
  path: string
  status: number
  error: string
  details?: string
  ms: number
  caller: Caller
  /** What it is about, as far as it says so; nobody has checked that. */
  organization?: OrganizationId
  project?: ProjectId
}

/** Must neither wait nor throw. */
export type NoteFailed = (failed: FailedRequest) => void
