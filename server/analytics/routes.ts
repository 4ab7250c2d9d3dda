import type { App } from '../http/types.ts'
import type { EventLog } from '../platform/events/port.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { eventRoutes } from './events/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { viewerRoutes } from './viewers/routes.ts'

export interface AnalyticsDeps {
  sql: Sql
  events: EventLog
  jobs: Pick<JobQueue, 'enqueue'>
  clock: () => number
}

/** Events in, reports out. */
export function analyticsRoutes(deps: AnalyticsDeps): (app: App) => void {
  return (app) => {
    eventRoutes(deps)(app)
    reportRoutes(deps)(app)
    viewerRoutes(deps)(app)
  }
}
