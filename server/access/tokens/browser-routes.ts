import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { unauthorized } from '../../base/errors.ts'
import { operation } from '../../http/operation.ts'
import { PageQuery } from '../../http/pagination.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import {
  type BrowserSession,
  closeBrowserSession,
  endAllSessions,
  endSession,
  listSessions,
  openBrowserSession,
  renewBrowserSession,
  replacePassword,
} from './browser-sessions.ts'
import { AccessToken, Login, OneSession, PasswordChange, SessionList } from './schemas.ts'
import type { LoginDeps } from './sign-in.ts'

export interface BrowserDeps extends LoginDeps {
  /** Where the public finds the service. */
  baseUrl: string
}

const tag = 'Tokens'
const COOKIE = 'marquee_session'
/** The browser sends the cookie to these addresses and to no other. */
const PATH = '/auth/v1/browser'

/** For pages of the service itself: what lasts is in a cookie that no script can read. */
export function browserRoutes(app: App, deps: BrowserDeps): void {
  const attributes = [
    `Path=${PATH}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(deps.baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

  function send(reply: FastifyReply, { token, cookie }: BrowserSession) {
    const age = deps.lifetimes.refreshTokenSeconds
    reply.header('set-cookie', `${COOKIE}=${cookie}; ${attributes}; Max-Age=${age}`)
    return reply.send(token)
  }

  const own = { tag, credential: 'none', limit: 'sign-in', ownPagesOnly: true } as const
  const errors = { 401: 'Unauthorized', 403: 'Forbidden' }

  app.post(
    `${PATH}/session`,
    operation({
      ...own,
      id: 'openBrowserSession',
      summary: 'Sign a browser in, on a page of the service itself',
      description:
        'The answer has an access token; what it is renewed by is in a cookie for these operations alone. Pages of other origins are refused.',
      errors,
      request: { body: Login },
      answers: { 200: ref(AccessToken) },
    }),
    async (request, reply) => {
      const visitor = { from: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 500) }
      return send(reply, await openBrowserSession(request.body, visitor, deps))
    },
  )

  app.post(
    `${PATH}/session/renew`,
    operation({
      ...own,
      id: 'renewBrowserSession',
      summary: 'A new access token for a browser that is signed in',
      errors,
      answers: { 200: ref(AccessToken) },
    }),
    async (request, reply) => {
      return send(reply, await renewBrowserSession(requireCookie(request), deps))
    },
  )

  app.delete(
    `${PATH}/session`,
    operation({
      ...own,
      id: 'closeBrowserSession',
      summary: 'Sign a browser out',
      errors,
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      reply.header('set-cookie', `${COOKIE}=; ${attributes}; Max-Age=0`)
      const cookie = cookieOf(request)
      // What has ended already has ended.
      if (cookie) await closeBrowserSession(cookie, deps).catch(() => {})
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/auth/v1/sessions',
    operation({
      tag,
      id: 'listSessions',
      summary: 'Where the user is signed in',
      credential: 'bearer',
      request: { querystring: PageQuery },
      answers: { 200: ref(SessionList) },
    }),
    async (request) => ({ sessions: await listSessions(request.caller, request.query, deps.sql) }),
  )

  app.delete(
    '/auth/v1/sessions/:session_id',
    operation({
      tag,
      id: 'endSession',
      summary: 'Sign out in one place',
      credential: 'bearer',
      errors: { 404: 'Not Found' },
      request: { params: OneSession },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await endSession(request.caller, request.params.session_id, deps.sql)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/auth/v1/sessions',
    operation({
      tag,
      id: 'endAllSessions',
      summary: 'Sign out everywhere, here as well',
      credential: 'bearer',
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await endAllSessions(request.caller, deps.sql)
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/auth/v1/users/current/password',
    operation({
      tag,
      id: 'changePassword',
      summary: 'Set a new password; every other sign-in ends',
      credential: 'bearer',
      request: { body: PasswordChange },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      const { current_password: current, new_password: wanted } = request.body
      await replacePassword(request.caller, { current, wanted, from: request.ip }, deps)
      return reply.code(204).send(null)
    },
  )
}

function cookieOf({ headers }: FastifyRequest): string | undefined {
  const all = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return all.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) || undefined
}

function requireCookie(request: FastifyRequest): string {
  const cookie = cookieOf(request)
  if (!cookie) throw unauthorized('signed out; sign in again')
  return cookie
}
