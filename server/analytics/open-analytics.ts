import { type AnalyticsDeps, analyticsRoutes } from './routes.ts'

export function openAnalytics(deps: AnalyticsDeps) {
  return { routes: [analyticsRoutes(deps)] }
}
