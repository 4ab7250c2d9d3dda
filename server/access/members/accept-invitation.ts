import { timingSafeEqual } from 'node:crypto'
import { unauthorized, unavailable } from '../../base/errors.ts'
import { idPattern, newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type AttemptDeps, countAttempt, countStranger } from '../tokens/count-attempt.ts'
import { hashPassword, matchingAccount, refuseWeakPassword } from '../tokens/passwords.ts'
import { takeOverAddress } from '../users/prove-address.ts'
import { type Account, findProvedAccount, insertUser, lockAddress } from '../users/store.ts'
import { hashOfToken } from './invite-member.ts'
import { joinByInvitation } from './join-by-invitation.ts'
import { findInvitationToken, isMemberByEmail, takeInvitation } from './store.ts'

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
  const invitation = await standingInvitation(token, sql)
  const { id, email, mailed, org_id: orgId } = invitation
  refuseWeakPassword(password)
  await countAttempt({ account: email, from }, deps)
  await countStranger({ account: email, from }, deps)

  // Passwords take long to check, so that is done before the transaction.
  const proved = await findProvedAccount(sql, email)
  const theirs = await matchingAccount(password, proved ? [proved] : [])
  if (proved && mailed && !theirs) throw wrongPassword(proved)
  const passwordHash = theirs ? null : await hashPassword(password)

  return sql.begin(async (tx) => {
    await lockAddress(tx, email)
    const isTaken = (await takeInvitation(tx, id)) !== undefined
    if (!isTaken || (await isMemberByEmail(tx, orgId, email))) throw unauthorized(INVALID)
    const now = await findProvedAccount(tx, email)
    if (now?.id !== proved?.id || now?.password_hash !== proved?.password_hash)
      throw unavailable('the account has changed just now: ask again')
    const userId = theirs?.id ?? newId('user')
    if (!theirs) await insertUser(tx, { id: userId, email, passwordHash, confinedTo: mailed ? null : orgId })
    if (mailed) await takeOverAddress(tx, email, userId)
    await joinByInvitation(tx, invitation, userId)
    return userId
  })
}

async function standingInvitation(token: string, sql: Sql) {
  const [id = '', secret = ''] = token.split('.')
  const invitation = ID.test(id) ? await findInvitationToken(sql, id) : undefined
  if (!invitation || !timingSafeEqual(invitation.token_hash, hashOfToken(secret))) throw unauthorized(INVALID)
  return invitation
}

/** Told to nobody but who reads the address's mail: to others it would tell which addresses have accounts. */
function wrongPassword({ password_hash }: Account) {
  return unauthorized(
    password_hash
      ? 'wrong password: give that of the account that you have'
      : 'your account has no password: an operator can give it one',
  )
}
