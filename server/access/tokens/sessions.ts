import type { Caller } from '../../base/caller.ts'
import { forbidden, notFound, unauthorized } from '../../base/errors.ts'
import type { OrganizationId, SessionId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { authenticateKey } from '../authentication/authenticate-key.ts'
import { parseKey } from '../keys/kinds.ts'
import { theAccount } from '../users/users.ts'
import type { TokenIssuer } from './issuer.ts'
import type { Tokens } from './schemas.ts'
import { advanceSession, deleteExpiredSessions, deleteSession, insertSession, type Subject } from './store.ts'

export interface Lifetimes {
  accessTokenSeconds: number
  refreshTokenSeconds: number
}

export interface TokenDeps {
  sql: Sql
  issuer: TokenIssuer
  lifetimes: Lifetimes
}

/** A new sign-in with its first pair of tokens. */
export async function openSession(subject: Subject, deps: TokenDeps): Promise<Tokens> {
  const { issuer, lifetimes } = deps
  const sessionId = await beginSession(subject, deps)
  const id = 'userId' in subject ? subject.userId : subject.keyId
  return signPair({ subject: id, sessionId, generation: 0 }, issuer, lifetimes)
}

/** A sign-in, which tokens are made for. */
export async function beginSession(
  subject: Subject,
  { sql, lifetimes }: Pick<TokenDeps, 'sql' | 'lifetimes'>,
  userAgent?: string,
): Promise<SessionId> {
  await deleteExpiredSessions(sql)
  const sessionId = newId('session')
  await insertSession(sql, sessionId, subject, lifetimes.refreshTokenSeconds, userAgent)
  return sessionId
}

async function signPair(
  { subject, sessionId, generation }: { subject: string; sessionId: SessionId; generation: number },
  issuer: TokenIssuer,
  lifetimes: Lifetimes,
): Promise<Tokens> {
  return {
    access_token: await issuer.signAccess({ subject, sessionId }, lifetimes.accessTokenSeconds),
    refresh_token: await issuer.signRefresh({ sessionId, generation }, lifetimes.refreshTokenSeconds),
    token_type: 'Bearer',
    expires_in: lifetimes.accessTokenSeconds,
  }
}

export async function refreshTokens(
  refreshToken: string,
  { sql, issuer, lifetimes }: TokenDeps,
): Promise<Tokens> {
  const { sessionId, generation } = await issuer.readRefresh(refreshToken)
  const session = await advanceSession(sql, {
    sessionId,
    generation,
    lifetimeSeconds: lifetimes.refreshTokenSeconds,
  })
  if (!session) {
    // One of ours, but spent: two parties hold it, and one of them stole it. End it for both.
    const ended = await deleteSession(sql, sessionId)
    if (!ended) throw unauthorized('signed out; sign in again')
    throw unauthorized(
      ended.generation === generation
        ? 'the session has expired, or its key was changed; sign in again'
        : 'the refresh token was used before; sign in again',
    )
  }
  return signPair({ subject: session.subject, sessionId, generation: generation + 1 }, issuer, lifetimes)
}

/** A secret key becomes a bearer of its project; it ends with the key. */
export async function exchangeKey(apiKey: string, deps: TokenDeps): Promise<Tokens> {
  const caller = await authenticateKey(apiKey, { sql: deps.sql })
  if (caller.kind !== 'secret_key') throw forbidden('only a secret key can become a token')
  return openSession({ keyId: caller.id, secretHash: parseKey(apiKey)!.hash }, deps)
}

/** An access token for a user, without their password; for the person at the machine. */
export async function issueToken(
  caller: Caller,
  { email, orgId, lifetimeSeconds }: { email: string; orgId?: OrganizationId; lifetimeSeconds: number },
  { sql, issuer }: Pick<TokenDeps, 'sql' | 'issuer'>,
): Promise<string> {
  allowOperator(caller)
  const user = await theAccount(sql, email.toLowerCase(), orgId)
  if (!user) throw notFound('no such user')
  const sessionId = newId('session')
  await insertSession(sql, sessionId, { userId: user.id }, lifetimeSeconds)
  return issuer.signAccess({ subject: user.id, sessionId }, lifetimeSeconds)
}

/** Ends the sign-in behind the caller's token: its access and refresh tokens stop working at once. */
export async function logout(caller: Caller, sql: Sql): Promise<void> {
  if (caller.sessionId) await deleteSession(sql, caller.sessionId)
}
