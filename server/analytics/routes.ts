import type { App } from '../http/types.ts'
import { type EventDeps, eventRoutes } from './events/routes.ts'

export function analyticsRoutes(deps: EventDeps): (app: App) => void {
  return (app) => {
    eventRoutes(deps)(app)
  }
}
