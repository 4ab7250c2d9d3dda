import { handle } from '../platform/jobs/port.ts'
import { DUMP_EVENTS, dumpEvents } from './events/dump-events.ts'
import { ERASE_EVENTS, eraseEvents } from './events/erase-events.ts'
import { type AnalyticsDeps, analyticsRoutes } from './routes.ts'
import { DELETE_VIEWER, deletingViewers } from './viewers/delete-viewer.ts'

export function openAnalytics(deps: AnalyticsDeps & { dumpFolder: string }) {
  return {
    routes: [analyticsRoutes(deps)],
    jobs: [
      handle(ERASE_EVENTS, eraseEvents(deps.events)),
      handle(DELETE_VIEWER, deletingViewers(deps)),
      handle(DUMP_EVENTS, dumpEvents(deps.events, deps.dumpFolder)),
    ],
  }
}
