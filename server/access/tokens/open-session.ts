import { newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { TokenIssuer } from './issuer.ts'
import type { Tokens } from './schemas.ts'
import { deleteExpiredSessions, insertSession, type Subject } from './store.ts'

export interface Lifetimes {
  accessToken: number
  refreshToken: number
}

export interface TokenDeps {
  sql: Sql
  issuer: TokenIssuer
  lifetimes: Lifetimes
}

/** A new sign-in with its first pair of tokens. */
export async function openSession(subject: Subject, { sql, issuer, lifetimes }: TokenDeps): Promise<Tokens> {
  await deleteExpiredSessions(sql)
  const sessionId = newId('session')
  await insertSession(sql, sessionId, subject, lifetimes.refreshToken)
  const id = 'userId' in subject ? subject.userId : subject.keyId
  return signPair({ subject: id, sessionId, generation: 0 }, issuer, lifetimes)
}

export async function signPair(
  { subject, sessionId, generation }: { subject: string; sessionId: string; generation: number },
  issuer: TokenIssuer,
  lifetimes: Lifetimes,
): Promise<Tokens> {
  return {
    access_token: await issuer.signAccess({ subject, sessionId }, lifetimes.accessToken),
    refresh_token: await issuer.signRefresh({ sessionId, generation }, lifetimes.refreshToken),
    token_type: 'Bearer',
    expires_in: lifetimes.accessToken,
  }
}
