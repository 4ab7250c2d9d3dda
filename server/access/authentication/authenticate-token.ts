import { decodeJwt } from 'jose'
import type { Caller, Grant } from '../../base/caller.ts'
import { forbidden, unauthorized } from '../../base/errors.ts'
import type { SessionId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { ALL_PERMISSIONS, permissionSet } from '../../base/permissions.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { joinByInvitation } from '../members/invitations.ts'
import { takeInvitationsOf } from '../members/store.ts'
import { type AccessClaims, BUILT_IN_ISSUER, type TokenIssuer } from '../tokens/issuer.ts'
import type { OpenIdClaims, OpenIdVerifier } from '../tokens/openid.ts'
import { accountsOf, findProvedAccount, insertUser, lockAddress } from '../users/store.ts'
import { takeOverAddress } from '../users/users.ts'
import { callerOfKey } from './authenticate-key.ts'
import {
  findKeyOfSession,
  findUserOfIdentity,
  findUserOfSession,
  insertIdentity,
  type UserRecord,
} from './store.ts'

export interface TokenAuthentication {
  sql: Sql
  issuer: TokenIssuer
  openId: OpenIdVerifier | undefined
}

export async function authenticateToken(token: string, deps: TokenAuthentication): Promise<Caller> {
  const known = deps.issuer.recallAccess(token)
  if (known) return byClaims(known, deps.sql)
  // Only to choose who checks it; nothing of the token is believed before that.
  const named = issuerNamed(token)
  if (named === BUILT_IN_ISSUER) return byClaims(await deps.issuer.readAccess(token), deps.sql)
  if (deps.openId && named === deps.openId.issuer) return byOpenId(token, deps.openId, deps.sql)
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

async function byOpenId(token: string, verifier: OpenIdVerifier, sql: Sql): Promise<Caller> {
  const claims = await verifier.verify(token)
  const user =
    (await findUserOfIdentity(sql, claims.issuer, claims.subject)) ?? (await linkIdentity(claims, sql))
  if (!user) throw forbidden('this account is not known here: ask an owner for an invitation')
  return callerOfUser(user)
}

/**
 * The first sight of somebody from an OpenID issuer. The issuer vouches for their address, so they
 * are the user of that address, and the one whom invitations to it are meant for, open ones and those that others took up.
 */
async function linkIdentity(claims: OpenIdClaims, sql: Sql): Promise<UserRecord | undefined> {
  const email = claims.verifiedEmail
  if (!email) return undefined
  return sql.begin(async (tx) => {
    await lockAddress(tx, email)
    // Several first requests come at once; the others find what the first of them made.
    const linked = await findUserOfIdentity(tx, claims.issuer, claims.subject)
    if (linked) return linked
    const proved = await findProvedAccount(tx, email)
    const invitations = await takeInvitationsOf(tx, email)
    const confined = (await accountsOf(tx, email)).filter(({ confined_to }) => confined_to !== null)
    if (!proved && invitations.length === 0 && confined.length === 0) return undefined
    const userId = proved?.id ?? newId('user')
    if (!proved) await insertUser(tx, { id: userId, email, passwordHash: null, confinedTo: null })
    await takeOverAddress(tx, email, userId)
    for (const invitation of invitations) await joinByInvitation(tx, invitation, userId)
    await insertIdentity(tx, claims.issuer, claims.subject, userId)
    return findUserOfIdentity(tx, claims.issuer, claims.subject)
  })
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
