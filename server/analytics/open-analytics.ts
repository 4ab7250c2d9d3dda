import { handle } from '../platform/jobs/port.ts'
import { ERASE_EVENTS, eraseEvents } from './events/erase-events.ts'
import { type AnalyticsDeps, analyticsRoutes } from './routes.ts'

export function openAnalytics(deps: AnalyticsDeps) {
  return {
    routes: [analyticsRoutes(deps)],
    jobs: [handle(ERASE_EVENTS, eraseEvents(deps.events))],
  }
}
