import type { FastifyRequest } from 'fastify'
import type { Caller, CallerOrigin } from '../base/caller.ts'
import { unauthorized } from '../base/errors.ts'
import type { Credential } from './operation.ts'
import type { App } from './types.ts'

/** Turns what a client showed into who they are; throws 401 where it is worth nothing. */
export interface Authenticator {
  byKey(key: string): Promise<Caller>
  byToken(token: string, from: CallerOrigin): Promise<Caller>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every operation that asks for a credential, before anything else of the request is read. */
    caller: Caller
  }
}

const PUBLISHABLE = 'mq_pk_'
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i

export function authenticateRequests(app: App, authenticator: Authenticator): void {
  app.decorateRequest('caller', null as unknown as Caller)
  app.addHook('onRequest', (request, _reply, done) => {
    const credential = request.routeOptions.config.credential
    // Those who need not say who they are wait for nothing.
    if (credential === undefined || credential === 'none') return done()
    authenticate(request, credential).then(() => done(), done)
  })

  async function authenticate(request: FastifyRequest, credential: Credential): Promise<void> {
    const key = request.headers['x-api-key']
    if (credential === 'any' && key !== undefined) {
      request.caller = { ...(await authenticator.byKey(String(key))), from: originOf(request) }
      return
    }
    const header = request.headers.authorization
    if (header === undefined && request.routeOptions.config.takesBeacons) {
      const inQuery = (request.query as { key?: unknown }).key
      if (inQuery !== undefined) {
        request.caller = await byKeyInQuery(inQuery)
        return
      }
    }
    if (header === undefined)
      throw unauthorized(
        credential === 'any' ? 'send X-API-Key or Authorization: Bearer' : 'send Authorization: Bearer',
      )
    const token = BEARER.exec(header)?.[1]
    if (!token) throw unauthorized('Authorization is not of the form Bearer <token>')
    const from = originOf(request)
    request.caller = { ...(await authenticator.byToken(token, from)), from }
  }

  /** Addresses end up in histories and logs of others: a secret has no place in one, whatever it is worth. */
  async function byKeyInQuery(key: unknown): Promise<Caller> {
    if (typeof key !== 'string') throw unauthorized('key: give one publishable key')
    if (!key.startsWith(PUBLISHABLE)) throw unauthorized('key: only a publishable key may be in the query')
    return authenticator.byKey(key)
  }
}

export function originOf({ ip, headers }: FastifyRequest): CallerOrigin {
  return { address: ip, agent: headers['user-agent'] }
}
