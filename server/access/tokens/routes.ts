import { Type } from 'typebox'
import { originOf } from '../../http/authentication.ts'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { acceptInvitation } from '../members/invitations.ts'
import { Acceptance } from '../members/schemas.ts'
import { CurrentUser } from '../users/schemas.ts'
import { showCurrentUser } from '../users/users.ts'
import { KeyExchange, Login, Refresh, Tokens } from './schemas.ts'
import { exchangeKey, logout, openSession, refreshTokens } from './sessions.ts'
import { type LoginDeps, login, rememberAddress } from './sign-in.ts'

const tag = 'Tokens'
const SIGN_IN = { tag, credential: 'none', limit: 'sign-in', answers: { 200: ref(Tokens) } } as const
const WRONG = { 401: 'Unauthorized' }

export function tokenRoutes(app: App, deps: LoginDeps): void {
  app.post(
    '/auth/v1/login',
    operation({
      ...SIGN_IN,
      id: 'loginUser',
      summary: 'Sign in with email and password',
      description:
        'Wrong passwords are counted for account and client address together, and those from client addresses that the account never signed in from for the account as a whole: 429 where there were too many.',
      errors: WRONG,
      request: { body: Login },
    }),
    (request) => {
      const { email, password, org_id: orgId } = request.body
      return login({ email, password, orgId, from: request.ip }, deps)
    },
  )

  app.post(
    '/auth/v1/token',
    operation({
      ...SIGN_IN,
      id: 'refreshTokens',
      summary: 'Exchange a refresh token for new tokens',
      errors: WRONG,
      request: { body: Refresh },
    }),
    (request) => refreshTokens(request.body.refresh_token, deps),
  )

  app.post(
    '/platform/auth/v1/token',
    operation({
      ...SIGN_IN,
      id: 'exchangeKey',
      summary: 'Exchange a secret API key for tokens of its project',
      errors: { ...WRONG, 403: 'Forbidden' },
      request: { body: KeyExchange },
    }),
    (request) => exchangeKey(request.body.api_key, deps),
  )

  app.post(
    '/auth/v1/invitations/accept',
    operation({
      ...SIGN_IN,
      id: 'acceptInvitation',
      summary: 'Accept an invitation and sign in',
      description:
        'Who has an account whose address is proved joins with it, by its password. Everybody else gets a new account with the password given. Where the token came by mail, that proves the address; where it did not, the account is good for the inviting organization only.',
      errors: WRONG,
      request: { body: Acceptance },
    }),
    async (request) => {
      const { token, password } = request.body
      const userId = await acceptInvitation({ token, password, from: originOf(request) }, deps)
      await rememberAddress(userId, request.ip, deps.sql)
      return openSession({ userId }, deps)
    },
  )

  app.post(
    '/auth/v1/logout',
    operation({
      tag,
      id: 'logoutUser',
      summary: 'Sign out',
      credential: 'bearer',
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await logout(request.caller, deps.sql)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/auth/v1/users/current',
    operation({
      tag,
      id: 'getCurrentUser',
      summary: 'Who is signed in, and where they may do what',
      credential: 'bearer',
      answers: { 200: ref(CurrentUser) },
    }),
    (request) => showCurrentUser(request.caller, deps.sql),
  )
}
