import type { Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hashPassword, refuseWeakPassword } from '../tokens/passwords.ts'
import { findUserByEmail, setPassword } from './store.ts'

export async function changePassword(
  caller: Caller,
  email: string,
  password: string,
  sql: Sql,
): Promise<void> {
  allowOperator(caller)
  refuseWeakPassword(password)
  const user = await findUserByEmail(sql, email.toLowerCase())
  if (!user) throw notFound('no such user')
  await setPassword(sql, user.id, await hashPassword(password))
}
