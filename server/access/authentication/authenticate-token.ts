import { decodeJwt } from 'jose'
import type { Caller, CallerOrigin, Grant } from '../../base/caller.ts'
import { forbidden, unauthorized } from '../../base/errors.ts'
import type { SessionId } from '../../base/ids.ts'
import { ALL_PERMISSIONS, permissionSet } from '../../base/permissions.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { OpenIdVerifier } from '../openid/verifier.ts'
import { type AccessClaims, BUILT_IN_ISSUER, type TokenIssuer } from '../tokens/issuer.ts'
import { callerOfKey } from './authenticate-key.ts'
import { matchUser } from './match-user.ts'
import { findKeyOfSession, findUserOfSession, type UserRecord } from './store.ts'

export interface TokenAuthentication {
  sql: Sql
  issuer: TokenIssuer
  openId: OpenIdVerifier | undefined
}

/** `from`: somebody's first token of an OpenID issuer can make them a member, which is written down with where they came from. */
export async function authenticateToken(
  token: string,
  from: CallerOrigin,
  deps: TokenAuthentication,
): Promise<Caller> {
  const known = deps.issuer.recallAccess(token)
  if (known) return byClaims(known, deps.sql)
  // Only to choose who checks it; nothing of the token is believed before that.
  const named = issuerNamed(token)
  if (named === BUILT_IN_ISSUER) return byClaims(await deps.issuer.readAccess(token), deps.sql)
  if (deps.openId && named?.replace(/\/$/, '') === deps.openId.issuer)
    return byOpenId(token, from, { verifier: deps.openId, sql: deps.sql })
  throw unauthorized('the token is not of an issuer known here')
}

function issuerNamed(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    throw unauthorized('the token is malformed')
  }
}

async function byClaims({ subject, sessionId }: AccessClaims, sql: Sql): Promise<Caller> {
  if (subject.startsWith('key_')) {
    const key = await findKeyOfSession(sql, sessionId)
    if (!key) throw unauthorized('the key behind the token was revoked or rotated')
    return callerOfKey(key, sessionId)
  }
  const user = await findUserOfSession(sql, sessionId)
  if (!user) throw unauthorized('signed out')
  return callerOfUser(user, sessionId)
}

async function byOpenId(
  token: string,
  from: CallerOrigin,
  { verifier, sql }: { verifier: OpenIdVerifier; sql: Sql },
): Promise<Caller> {
  const user = await matchUser(await verifier.verify(token), from, sql)
  if (!user) throw forbidden('this account is not known here: ask an owner for an invitation')
  return callerOfUser(user)
}

function callerOfUser(user: UserRecord, sessionId?: SessionId): Caller {
  if (user.suspended && user.memberships.length === 0) throw forbidden('your membership is suspended')
  const grants = user.memberships.map(
    ({ org_id: orgId, plan, role, permissions }): Grant => ({
      orgId,
      plan,
      permissions: role === 'owner' ? ALL_PERMISSIONS : permissionSet(permissions),
    }),
  )
  return { kind: 'user', id: user.id, sessionId, grants }
}
