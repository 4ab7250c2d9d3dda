import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { unauthorized } from '../../base/errors.ts'
import { type Cookie, readCookie, setCookie } from '../../http/cookies.ts'
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
  type Visitor,
} from './browser-sessions.ts'
import { AccessToken, Login, OneSession, PasswordChange, SessionList } from './schemas.ts'
import type { LoginDeps } from './sign-in.ts'

export interface BrowserDeps extends LoginDeps {
  /** Where the public finds the service. */
  baseUrl: string
}

const tag = 'Tokens'
export const BROWSER_PATH = '/auth/v1/browser'
const SESSION: Cookie = { name: 'marquee_session', path: BROWSER_PATH, sameSite: 'Strict' }

/** What operations of browser sessions have in common. */
export const OWN_PAGES = {
  tag,
  credential: 'none',
  limit: 'sign-in',
  ownPagesOnly: true,
  errors: { 401: 'Unauthorized', 403: 'Forbidden' },
} as const

/** For pages of the service itself: what lasts is in a cookie that no script can read. */
export function browserRoutes(app: App, deps: BrowserDeps): void {
  app.post(
    `${BROWSER_PATH}/session`,
    operation({
      ...OWN_PAGES,
      id: 'openBrowserSession',
      summary: 'Sign a browser in, on a page of the service itself',
      description:
        'The answer has an access token; what it is renewed by is in a cookie for these operations alone. Pages of other origins are refused.',
      request: { body: Login },
      answers: { 200: ref(AccessToken) },
    }),
    async (request, reply) =>
      sendSession(reply, await openBrowserSession(request.body, visitorOf(request), deps), deps),
  )

  app.post(
    `${BROWSER_PATH}/session/renew`,
    operation({
      ...OWN_PAGES,
      id: 'renewBrowserSession',
      summary: 'A new access token for a browser that is signed in',
      answers: { 200: ref(AccessToken) },
    }),
    async (request, reply) =>
      sendSession(reply, await renewBrowserSession(requireCookie(request), deps), deps),
  )

  app.delete(
    `${BROWSER_PATH}/session`,
    operation({
      ...OWN_PAGES,
      id: 'closeBrowserSession',
      summary: 'Sign a browser out',
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      setCookie(reply, SESSION, { value: '', maxAge: 0, baseUrl: deps.baseUrl })
      const cookie = readCookie(request, SESSION)
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

type CookieDeps = Pick<BrowserDeps, 'baseUrl' | 'lifetimes'>

/** Sets the cookie; the rest of a session is for the page. */
export function setSession(reply: FastifyReply, { cookie }: BrowserSession, deps: CookieDeps): void {
  const { baseUrl, lifetimes } = deps
  setCookie(reply, SESSION, { value: cookie, maxAge: lifetimes.refreshTokenSeconds, baseUrl })
}

/** Sets the cookie and answers the rest. */
export function sendSession(reply: FastifyReply, session: BrowserSession, deps: CookieDeps) {
  setSession(reply, session, deps)
  return reply.send(session.token)
}

export function visitorOf({ ip, headers }: FastifyRequest): Visitor {
  return { from: ip, userAgent: (headers['user-agent'] ?? '').slice(0, 500) }
}

function requireCookie(request: FastifyRequest): string {
  const cookie = readCookie(request, SESSION)
  if (!cookie) throw unauthorized('signed out; sign in again')
  return cookie
}
