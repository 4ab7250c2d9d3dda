import cors from '@fastify/cors'
import type { FastifyReply } from 'fastify'
import { CACHING } from '../base/caching.ts'
import type { App } from './types.ts'

/** What every answer of the API carries. A page of our own (the docs) sets a policy of its own. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': CACHING.none,
}

const HSTS = { 'strict-transport-security': 'max-age=31536000' }
/** `Date` is for pages whose own clock is wrong. */
const EXPOSED = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Location, Date'

export interface HeaderOptions {
  corsOrigins: string[]
  /** Whether clients reach the service by https. */
  secure: boolean
}

export function useHeaders(app: App, { corsOrigins, secure }: HeaderOptions): void {
  const headers = securityHeaders(secure)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  useOwnRules(app, corsOrigins)
  app.register(cors, {
    origin: corsOrigins.includes('*') ? '*' : corsOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 86400,
    // OPTIONS is answered for every address, a preflight or not: it says what a page may do, and does nothing.
    strictPreflight: false,
  })
}

/**
 * Routes with a rule of their own, for which preflights have it too.
 *
 * A browser sends a beacon as if there were cookies, and then wants the page's origin by name and a word that
 * credentials are welcome, already for the preflight. There are none: what takes beacons has no cookies and no sign-in of
 * the browser's own, so that a page of any origin gets at nothing that it was not given a key for.
 *
 * What is for pages of the service itself has no rule for others at all.
 */
function useOwnRules(app: App, corsOrigins: string[]): void {
  const beacons = { origin: corsOrigins.includes('*') ? true : corsOrigins, credentials: true }
  const nobody = { origin: false }
  const preflights = new Set<string>()
  app.addHook('onRoute', ({ url, method, config }) => {
    const rule = config?.takesBeacons ? beacons : config?.ownPagesOnly ? nobody : undefined
    if (!config || !rule || method === 'OPTIONS') return
    Object.assign(config, { cors: rule })
    if (preflights.has(url)) return
    preflights.add(url)
    app.options(url, { schema: { hide: true }, config: { cors: rule } as object }, (_request, reply) =>
      reply.send(),
    )
  })
}

/** Says that the answer depends on this header of the request too. */
export function varyBy(reply: FastifyReply, name: string): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others ? `${others}, ${name}` : name)
}

/** The same headers for an answer that the app has no part in. */
export function headersOutsideApp({ corsOrigins, secure }: HeaderOptions) {
  const common = { ...securityHeaders(secure), 'access-control-expose-headers': EXPOSED }
  const everybody = { ...common, 'access-control-allow-origin': '*' }
  const narrowed = { ...common, vary: 'Origin' }
  return (origin: string | undefined): Readonly<Record<string, string>> => {
    if (corsOrigins.includes('*')) return everybody
    if (origin === undefined || !corsOrigins.includes(origin)) return narrowed
    return { ...narrowed, 'access-control-allow-origin': origin }
  }
}

function securityHeaders(secure: boolean): Record<string, string> {
  return secure ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS
}
