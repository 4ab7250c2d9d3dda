import type { Static } from 'typebox'
import type { Caller } from '../../base/caller.ts'
import { badRequest, forbidden, notFound, unauthorized } from '../../base/errors.ts'
import { isId, type SessionId, type UserId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { useLink } from '../links/account-links.ts'
import { findAccount } from '../users/store.ts'
import { setPassword } from '../users/users.ts'
import { countAttempt } from './count-attempt.ts'
import { matchingAccount } from './passwords.ts'
import type { AccessToken, Login, Session } from './schemas.ts'
import { beginSession, type TokenDeps } from './sessions.ts'
import { type LoginDeps, rememberAddress, signedIn } from './sign-in.ts'
import * as store from './store.ts'

export interface BrowserSession {
  token: AccessToken
  /** For the cookie that only the operations of browser sessions read. */
  cookie: string
}

export interface Visitor {
  /** The client's address. */
  from: string
  userAgent: string
}

/** A sign-in that a browser keeps. */
export async function openBrowserSession(
  { email, password, org_id: orgId }: Static<typeof Login>,
  { from, userAgent }: Visitor,
  deps: LoginDeps,
): Promise<BrowserSession> {
  const { id: userId } = await signedIn({ email, password, orgId, from }, deps)
  return pairOf(userId, await beginSession({ userId }, deps, userAgent), deps)
}

/** The same for somebody who has shown in another way who they are. */
export async function beginBrowserSession(
  userId: UserId,
  { from, userAgent }: Visitor,
  deps: TokenDeps,
): Promise<BrowserSession> {
  await rememberAddress(userId, from, deps.sql)
  return pairOf(userId, await beginSession({ userId }, deps, userAgent), deps)
}

/** By a link that works once. */
export async function openSessionByLink(
  link: string,
  visitor: Visitor,
  deps: TokenDeps,
): Promise<BrowserSession> {
  const { user_id: userId } = await deps.sql.begin((tx) => useLink(tx, 'sign_in', link))
  return beginBrowserSession(userId, visitor, deps)
}

/**
 * A new access token for the browser that has the cookie. The cookie is not exchanged as refresh tokens are: pages of one
 * browser share it, and two that ask in the same moment would look like a thief and an owner.
 */
export async function renewBrowserSession(cookie: string, deps: TokenDeps): Promise<BrowserSession> {
  const { sessionId } = await deps.issuer.readBrowser(cookie)
  const userId = await store.touchSession(deps.sql, sessionId, deps.lifetimes.refreshTokenSeconds)
  if (!userId) throw unauthorized('signed out; sign in again')
  return pairOf(userId, sessionId, deps)
}

export async function closeBrowserSession(cookie: string, { sql, issuer }: TokenDeps): Promise<void> {
  const { sessionId } = await issuer.readBrowser(cookie)
  await store.deleteSession(sql, sessionId)
}

async function pairOf(
  userId: UserId,
  sessionId: SessionId,
  { issuer, lifetimes }: TokenDeps,
): Promise<BrowserSession> {
  const { accessTokenSeconds, refreshTokenSeconds } = lifetimes
  return {
    token: {
      access_token: await issuer.signAccess({ subject: userId, sessionId }, accessTokenSeconds),
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
    },
    cookie: await issuer.signBrowser({ sessionId }, refreshTokenSeconds),
  }
}

/** Where a user is signed in, the latest first. */
export async function listSessions(caller: Caller, page: Page, sql: Sql): Promise<Session[]> {
  const rows = await store.sessionsOf(sql, requireUser(caller), page)
  return rows.map((row) => ({ ...row, current: row.id === caller.sessionId }))
}

/** Signs out elsewhere: its tokens stop working at once. */
export async function endSession(caller: Caller, sessionId: SessionId, sql: Sql): Promise<void> {
  if (!(await store.deleteSessionOf(sql, requireUser(caller), sessionId))) throw notFound()
}

export async function endAllSessions(caller: Caller, sql: Sql): Promise<void> {
  await store.deleteSessionsOf(sql, requireUser(caller))
}

/** Whoever knows the old password may set a new one; every other sign-in ends. */
export async function replacePassword(
  caller: Caller,
  { current, wanted, from }: { current: string; wanted: string; from: string },
  deps: LoginDeps,
): Promise<void> {
  const userId = requireUser(caller)
  const account = await findAccount(deps.sql, userId)
  if (!account) throw forbidden()
  await countAttempt({ account: account.email, from }, deps)
  if (!(await matchingAccount(current, [account]))) throw badRequest('current_password: wrong')
  await setPassword(userId, wanted, deps.sql, caller.sessionId)
}

function requireUser(caller: Caller): UserId {
  if (caller.kind !== 'user' || !isId('user', caller.id))
    throw forbidden('the token is of an API key, not of a user')
  return caller.id
}
