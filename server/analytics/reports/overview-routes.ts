import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { ReportDeps } from './allow-report.ts'
import { showOverview } from './overview.ts'
import { Overview } from './overview-schemas.ts'
import { OverviewReportQuery, ValuesReportQuery } from './query-schemas.ts'
import { report, until } from './report-routes.ts'
import { showValues } from './values.ts'
import { FilterValues } from './values-schemas.ts'

export function overviewRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/overview',
    report({
      id: 'getOverview',
      summary: 'Views, viewers, time watched and completion, with the period before, and over time',
      description: '`previous` is about the period of the same length that ends where the range begins.',
      request: { querystring: OverviewReportQuery },
      answers: { 200: ref(Overview) },
    }),
    (request, reply) => showOverview(request.caller, request.query, until(reply, deps)),
  )

  app.get(
    '/analytics/v1/values',
    report({
      id: 'listFilterValues',
      summary: 'What there is to ask funnels for: event types, fields, and the values of one',
      request: { querystring: ValuesReportQuery },
      answers: { 200: ref(FilterValues) },
    }),
    (request, reply) => showValues(request.caller, request.query, until(reply, deps)),
  )
}
