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
  allowBeacons(app, corsOrigins)
  keepToOwnPages(app)
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
 * A browser sends a beacon as if there were cookies, and then wants the page's origin by name and a word that
 * credentials are welcome, already for the preflight. There are none: the API has no cookies and no sign-in of the
 * browser's own, so that a page of any origin gets at nothing that it was not given a key for.
 */
function allowBeacons(app: App, corsOrigins: string[]): void {
  const byName = { origin: corsOrigins.includes('*') ? true : corsOrigins, credentials: true }
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.takesBeacons || method === 'OPTIONS') return
    Object.assign(config, { cors: byName })
    app.options(url, { schema: { hide: true }, config: { cors: byName } as object }, (_request, reply) =>
      reply.send(),
    )
  })
}

/** No rule for other origins, and no answer to their preflights either. */
function keepToOwnPages(app: App): void {
  const none = { origin: false }
  const known = new Set<string>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.ownPagesOnly || method === 'OPTIONS') return
    Object.assign(config, { cors: none })
    if (known.has(url)) return
    known.add(url)
    app.options(url, { schema: { hide: true }, config: { cors: none } as object }, (_request, reply) =>
      reply.code(204).send(),
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
