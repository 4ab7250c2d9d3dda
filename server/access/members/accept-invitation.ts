import { timingSafeEqual } from 'node:crypto'
import { unauthorized } from '../../base/errors.ts'
import { idPattern, newId } from '../../base/ids.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import { type AttemptDeps, countAttempt, countStranger } from '../tokens/count-attempt.ts'
import { hashPassword, matchingAccount, refuseWeakPassword } from '../tokens/passwords.ts'
import { takeOverAddress } from '../users/prove-address.ts'
import { findProvedAccount, insertUser, lockAddress } from '../users/store.ts'
import { hashOfToken } from './invite-member.ts'
import { joinByInvitation } from './join-by-invitation.ts'
import type { Invitation } from './schemas.ts'
import { isMemberByEmail, takeInvitation } from './store.ts'

const ID = new RegExp(idPattern('invitation'))
const INVALID = 'the invitation is unknown, used or expired'

/**
 * Makes the invited a member and answers the user's id. Who has a proved account joins with it, by its password. Everybody
 * else gets an account with the password given: where the token came by mail, it shows that the address is theirs; where
 * whoever invited had the token too, it shows nothing, and the account is good for that organization only.
 */
export async function acceptInvitation(
  { token, password, from }: { token: string; password: string; from: string },
  deps: AttemptDeps & { sql: Sql },
): Promise<string> {
  const { sql } = deps
  const [id = '', secret = ''] = token.split('.')
  if (!ID.test(id)) throw unauthorized(INVALID)
  return sql.begin(async (tx) => {
    const invitation = await takeInvitation(tx, id)
    if (!invitation || !timingSafeEqual(invitation.token_hash, hashOfToken(secret)))
      throw unauthorized(INVALID)
    refuseWeakPassword(password)
    await countAttempt({ account: invitation.email, from }, deps)
    await countStranger({ account: invitation.email, from }, deps)
    await lockAddress(tx, invitation.email)
    if (await isMemberByEmail(tx, invitation.org_id, invitation.email)) throw unauthorized(INVALID)
    const userId = await accountFor(tx, invitation, password)
    if (invitation.mailed) await takeOverAddress(tx, invitation.email, userId)
    await joinByInvitation(tx, invitation, userId)
    return userId
  })
}

async function accountFor(
  sql: Queryable,
  { email, org_id: orgId, mailed }: Invitation & { mailed: boolean },
  password: string,
): Promise<string> {
  const proved = await findProvedAccount(sql, email)
  const theirs = await matchingAccount(password, proved ? [proved] : [])
  if (theirs) return theirs.id
  // Told to nobody but who reads the address's mail: to others it would tell which addresses have accounts.
  if (proved && mailed)
    throw unauthorized(
      proved.password_hash
        ? 'wrong password: give that of the account that you have'
        : 'your account has no password: an operator can give it one',
    )
  const id = newId('user')
  const passwordHash = await hashPassword(password)
  await insertUser(sql, { id, email, passwordHash, confinedTo: mailed ? null : orgId })
  return id
}
