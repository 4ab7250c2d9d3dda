import { notFound, Refusal } from '../base/errors.ts'
import { sendRefusal } from './errors.ts'
import type { App } from './types.ts'

interface ServedRoute {
  methods: string[]
  url: string
  pattern: RegExp
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, in the order they were added. */
    served: readonly ServedRoute[]
  }
}

/** 404 for an address nobody serves; 405 with `Allow` for one that is served by other methods. */
export function answerUnknownAddresses(app: App, details?: string): void {
  const served: ServedRoute[] = []
  app.decorate('served', served)
  app.addHook('onRoute', ({ method, url }) => {
    // Preflights of CORS are no operations of the addresses that they are about.
    if (method === 'OPTIONS') return
    served.push({ methods: [method].flat(), url, pattern: patternOf(url) })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const methods = served.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods)
    const allow = [...new Set(methods)].sort().join(', ')
    // Served by this method too, so it was one of its parts that is not there.
    const isOther = allow !== '' && !methods.includes(request.method)
    sendRefusal(isOther ? new Refusal(405, { headers: { allow } }) : notFound(details), request, reply)
  })
}

function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
