import type { Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import { takeOverMemberships } from '../members/store.ts'
import {
  deleteConfinedAccounts,
  findProvedAccount,
  liftConfinement,
  lockAddress,
  type User,
} from './store.ts'
import { theAccount } from './the-account.ts'

/**
 * The address turns out to be this user's. Organizations that invited it meant them, so they get what accounts of the same
 * address were given there. Those accounts end with their passwords and sign-ins: nobody knows who made them.
 */
export async function takeOverAddress(sql: Queryable, email: string, userId: string): Promise<void> {
  await takeOverMemberships(sql, email, userId)
  await deleteConfinedAccounts(sql, email)
}

/** The operator vouches for whoever has the password of an account. */
export async function proveAddress(
  caller: Caller,
  { email, orgId }: { email: string; orgId: string | undefined },
  sql: Sql,
): Promise<User> {
  allowOperator(caller)
  return sql.begin(async (tx) => {
    await lockAddress(tx, email)
    if (await findProvedAccount(tx, email)) throw conflict('this address has a proved account already')
    const account = await theAccount(tx, email, orgId)
    if (!account) throw notFound('no such user')
    await liftConfinement(tx, account.id)
    await takeOverAddress(tx, email, account.id)
    const { id, created_at, updated_at } = account
    return { id, email, created_at, updated_at }
  })
}
