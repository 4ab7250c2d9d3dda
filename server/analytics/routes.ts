import type { App } from '../http/types.ts'
import type { EventLog } from '../platform/events/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { eventRoutes } from './events/routes.ts'
import { reportRoutes } from './reports/routes.ts'

/** Events in, reports out. */
export function analyticsRoutes(deps: {
  sql: Sql
  events: EventLog
  clock: () => number
}): (app: App) => void {
  return (app) => {
    eventRoutes(deps)(app)
    reportRoutes(deps)(app)
  }
}
