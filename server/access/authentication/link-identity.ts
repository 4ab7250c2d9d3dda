import { newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { joinByInvitation } from '../members/join-by-invitation.ts'
import { takeInvitationsOf } from '../members/store.ts'
import type { OpenIdClaims } from '../tokens/openid.ts'
import { findUserByEmail, handOver, insertUser, lockAddress } from '../users/store.ts'
import { findUserOfIdentity, insertIdentity, type UserRecord } from './store.ts'

/**
 * The first sight of somebody from an OpenID issuer. The issuer vouches for their address, so they
 * are the user of that address, and the one whom open invitations to it are meant for.
 */
export async function linkIdentity(claims: OpenIdClaims, sql: Sql): Promise<UserRecord | undefined> {
  const email = claims.verifiedEmail
  if (!email) return undefined
  return sql.begin(async (tx) => {
    await lockAddress(tx, email)
    // Several first requests come at once; the others find what the first of them made.
    const linked = await findUserOfIdentity(tx, claims.issuer, claims.subject)
    if (linked) return linked
    const known = await findUserByEmail(tx, email)
    const invitations = await takeInvitationsOf(tx, email)
    if (!known && invitations.length === 0) return undefined
    const userId = known?.id ?? newId('user')
    if (!known) await insertUser(tx, { id: userId, email, passwordHash: null, emailVerified: true })
    else if (!known.email_verified) await handOver(tx, userId)
    for (const invitation of invitations) await joinByInvitation(tx, invitation, userId)
    await insertIdentity(tx, claims.issuer, claims.subject, userId)
    return findUserOfIdentity(tx, claims.issuer, claims.subject)
  })
}
