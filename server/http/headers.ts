import cors from '@fastify/cors'
import type { App } from './types.ts'

/** What every answer of the API carries. A page of our own (the docs) sets a policy of its own. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
}

const HSTS = { 'strict-transport-security': 'max-age=31536000' }

export interface HeaderOptions {
  corsOrigins: string[]
  /** Whether clients reach the service by https. */
  secure: boolean
}

export function useHeaders(app: App, { corsOrigins, secure }: HeaderOptions): void {
  const headers = secure ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  app.register(cors, {
    origin: corsOrigins.includes('*') ? '*' : corsOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Location',
    maxAge: 86400,
    // OPTIONS is answered for every address, a preflight or not: it says what a page may do, and does nothing.
    strictPreflight: false,
  })
}
