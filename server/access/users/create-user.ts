import type { Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Role } from '../members/schemas.ts'
import { insertMember, isMemberByEmail } from '../members/store.ts'
import { organizationExists } from '../organizations/store.ts'
import { hashPassword, refuseWeakPassword } from '../tokens/passwords.ts'
import { findProvedAccount, findUser, insertUser, lockAddress, type User } from './store.ts'

export interface NewUser {
  email: string
  password: string
  orgId: string
  role: Role
}

/** The operator vouches for the address. */
export async function createUser(caller: Caller, wanted: NewUser, sql: Sql): Promise<User> {
  allowOperator(caller)
  refuseWeakPassword(wanted.password)
  const passwordHash = await hashPassword(wanted.password)
  const email = wanted.email.toLowerCase()
  const id = newId('user')
  return sql.begin(async (tx) => {
    if (!(await organizationExists(tx, wanted.orgId))) throw notFound('no such organization')
    await lockAddress(tx, email)
    if ((await findProvedAccount(tx, email)) || (await isMemberByEmail(tx, wanted.orgId, email)))
      throw conflict('there is a user with this address already')
    await insertUser(tx, { id, email, passwordHash, confinedTo: null })
    await insertMember(tx, wanted.orgId, id, wanted.role)
    return (await findUser(tx, id))!
  })
}
