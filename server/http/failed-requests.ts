import type { FastifyRequest } from 'fastify'
import type { FailedRequest, NoteFailed } from '../base/failed-request.ts'
import { isId } from '../base/ids.ts'
import type { ErrorObject } from './errors.ts'
import type { App } from './types.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What it was refused with. */
    refused: ErrorObject | null
  }
}

/** Tells of requests that failed, once they are answered. Those of nobody known are nobody's: they are left out. */
export function noteFailedRequests(app: App, note: NoteFailed): void {
  app.decorateRequest('refused', null)
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime: ms }, done) => {
    if (status >= 400 && request.caller) {
      const { id, method, caller, refused } = request
      const { error = '', details } = refused ?? {}
      const { url: route = '' } = request.routeOptions
      const path = request.url.split('?', 1)[0]!
      note({ id, method, route, path, status, error, details, ms, caller, ...namedBy(request) })
    }
    done()
  })
}

function namedBy({
  params,
  query,
  headers,
}: FastifyRequest): Pick<FailedRequest, 'organization' | 'project'> {
  const named = { ...(query as object), ...(params as object) } as Record<string, unknown>
  const organization = String(named.org_id ?? named.orgId)
  const project = String(named.project_id ?? named.projectId ?? headers['x-project-id'])
  return {
    ...(isId('organization', organization) && { organization }),
    ...(isId('project', project) && { project }),
  }
}
