import type { Engine } from '../http/health.ts'
import type { CountedElsewhere } from '../http/metrics.ts'
import type { App } from '../http/types.ts'
import type { Assignment } from '../platform/jobs/port.ts'

/** What a slice brings to the service when it is opened; the engines under the slices bring the same. */
export interface Slice {
  /** Each adds operations to the app. */
  routes?: ((app: App) => void)[]
  /** Background jobs, each with its handler. */
  jobs?: Assignment[]
  /** Begins what it does by itself, in a process that works. */
  work?(): void
  metrics?: CountedElsewhere[]
  /** What has to answer before the service is ready. */
  checks?: Engine[]
  /** Ends what runs by itself. Slices are closed in the opposite order of that in which they were opened. */
  close?(): Promise<void>
}
