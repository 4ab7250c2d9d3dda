import type { App } from '../http/types.ts'
import type { EventLog } from '../platform/events/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { eventRoutes } from './events/routes.ts'
import { reportRoutes } from './reports/routes.ts'

export interface AnalyticsDeps {
  sql: Sql
  events: EventLog
  clock: () => number
}

/** Events in, reports out. */
export function analyticsRoutes(deps: AnalyticsDeps): (app: App) => void {
  return (app) => {
    eventRoutes(deps)(app)
    reportRoutes(deps)(app)
  }
}
