import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { pageQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { type FailedRequestDeps, listFailedRequests } from './failed-requests.ts'
import { FailedRequestList } from './schemas.ts'

export function requestRoutes(app: App, deps: FailedRequestDeps): void {
  app.get(
    '/organizations/:org_id/requests/v1/failed',
    operation({
      tag: 'Requests',
      id: 'listFailedRequests',
      summary: 'List the requests of an organization that failed last',
      description:
        'Answers with 400 or above to its keys and members, the latest first; the last 500 are kept. A request appears here within seconds. Under a flood, some are left out. Neither bodies nor queries are kept.',
      request: {
        params: Type.Object({ org_id: Id('organization') }),
        querystring: pageQuery('at', 'desc'),
      },
      answers: { 200: ref(FailedRequestList) },
    }),
    (request) => listFailedRequests(request.caller, request.params.org_id, request.query, deps),
  )
}
