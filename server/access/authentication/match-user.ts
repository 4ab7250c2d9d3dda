import type { CallerOrigin } from '../../base/caller.ts'
import { newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { joinByInvitation } from '../members/invitations.ts'
import { takeInvitationsOf } from '../members/store.ts'
import type { OpenIdClaims } from '../openid/verifier.ts'
import { accountsOf, findProvedAccount, insertUser, lockAddress } from '../users/store.ts'
import { takeOverAddress } from '../users/users.ts'
import { findUserOfIdentity, insertIdentity, type UserRecord } from './store.ts'

/** Who somebody from an OpenID issuer is here; undefined where they are nobody. */
export async function matchUser(
  claims: OpenIdClaims,
  from: CallerOrigin,
  sql: Sql,
): Promise<UserRecord | undefined> {
  return (
    (await findUserOfIdentity(sql, claims.issuer, claims.subject)) ?? (await linkIdentity(claims, from, sql))
  )
}

/**
 * The first sight of somebody from an OpenID issuer. The issuer vouches for their address, so they
 * are the user of that address, and the one whom invitations to it are meant for, open ones and those that others took up.
 */
async function linkIdentity(
  claims: OpenIdClaims,
  from: CallerOrigin,
  sql: Sql,
): Promise<UserRecord | undefined> {
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
    const joiner = { id: userId, from }
    await takeOverAddress(tx, { email, userId }, joiner)
    for (const invitation of invitations) await joinByInvitation(tx, invitation, joiner)
    await insertIdentity(tx, claims.issuer, claims.subject, userId)
    return findUserOfIdentity(tx, claims.issuer, claims.subject)
  })
}
