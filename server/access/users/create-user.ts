import type { Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import { isUniqueViolation, type Sql } from '../../platform/postgres/client.ts'
import type { Role } from '../members/schemas.ts'
import { insertMember } from '../members/store.ts'
import { organizationExists } from '../organizations/store.ts'
import { hashPassword, refuseWeakPassword } from '../tokens/passwords.ts'
import { findUser, insertUser, type User } from './store.ts'

export interface NewUser {
  email: string
  password: string
  orgId: string
  role: Role
}

export async function createUser(caller: Caller, wanted: NewUser, sql: Sql): Promise<User> {
  allowOperator(caller)
  refuseWeakPassword(wanted.password)
  const passwordHash = await hashPassword(wanted.password)
  const id = newId('user')
  await sql
    .begin(async (tx) => {
      if (!(await organizationExists(tx, wanted.orgId))) throw notFound('no such organization')
      await insertUser(tx, { id, email: wanted.email.toLowerCase(), passwordHash, emailVerified: true })
      await insertMember(tx, wanted.orgId, id, wanted.role)
    })
    .catch((error) => {
      if (isUniqueViolation(error)) throw conflict('there is a user with this address already')
      throw error
    })
  return (await findUser(sql, id))!
}
