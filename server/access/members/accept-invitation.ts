import { timingSafeEqual } from 'node:crypto'
import { unauthorized } from '../../base/errors.ts'
import { idPattern, newId } from '../../base/ids.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import { type AttemptDeps, countAttempt } from '../tokens/count-attempt.ts'
import { hashPassword, refuseWeakPassword, verifyPassword } from '../tokens/passwords.ts'
import { findUserByEmail, insertUser, lockAddress } from '../users/store.ts'
import { hashOfToken } from './invite-member.ts'
import { joinByInvitation } from './join-by-invitation.ts'
import { takeInvitation } from './store.ts'

const ID = new RegExp(idPattern('invitation'))

/**
 * Makes the invited a member. Who has an account already proves it with its password; who has none
 * gets one with the password given. Answers the user's id.
 */
export async function acceptInvitation(
  token: string,
  password: string,
  deps: AttemptDeps & { sql: Sql },
): Promise<string> {
  const { sql } = deps
  const [id = '', secret = ''] = token.split('.')
  if (!ID.test(id)) throw unauthorized('the invitation is unknown, used or expired')
  return sql.begin(async (tx) => {
    const invitation = await takeInvitation(tx, id)
    if (!invitation || !timingSafeEqual(invitation.token_hash, hashOfToken(secret)))
      throw unauthorized('the invitation is unknown, used or expired')
    await lockAddress(tx, invitation.email)
    const userId = await accountOf(tx, invitation.email, password, deps)
    await joinByInvitation(tx, invitation, userId)
    return userId
  })
}

async function accountOf(
  sql: Queryable,
  email: string,
  password: string,
  deps: AttemptDeps,
): Promise<string> {
  const known = await findUserByEmail(sql, email)
  if (known?.password_hash) {
    await countAttempt(email, deps)
    if (await verifyPassword(password, known.password_hash)) return known.id
    throw unauthorized('this address has an account: give its password')
  }
  if (known) throw unauthorized('this address signs in through your organization: do so, then ask again')
  refuseWeakPassword(password)
  const id = newId('user')
  await insertUser(sql, { id, email, passwordHash: await hashPassword(password), emailVerified: false })
  return id
}
