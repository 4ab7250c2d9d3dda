import type { FastifyRequest } from 'fastify'
import { forbidden } from '../base/errors.ts'
import type { App } from './types.ts'

/**
 * Refuses pages of others where an operation is for those of the service itself. A browser says from which page a request
 * comes, and a page cannot change that. SameSite keeps a cookie from other sites; this keeps it from other
 * origins of the same site, such as another port or a neighbour's subdomain.
 */
export function refuseOtherPages(app: App, baseUrl: string): void {
  const { host: ours } = new URL(baseUrl)
  app.addHook('onRequest', (request, _reply, done) => {
    const { ownPagesOnly } = request.routeOptions.config
    if (!ownPagesOnly || (ownPagesOnly === 'or navigation' && isNavigation(request))) return done()
    const { origin, host, 'sec-fetch-site': site } = request.headers
    const from = origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
    const isOurs = origin === undefined || from === host || from === ours
    const isSame = site === undefined || site === 'same-origin'
    done(isOurs && isSame ? undefined : forbidden('only pages of the service itself may do this'))
  })
}

/** The browser as a whole goes there: no page sees the answer, and none is around it. */
function isNavigation({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}
