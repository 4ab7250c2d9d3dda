import type { Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hashPassword, refuseWeakPassword } from '../tokens/passwords.ts'
import { setPassword } from './store.ts'
import { theAccount } from './the-account.ts'

export async function changePassword(
  caller: Caller,
  { email, password, orgId }: { email: string; password: string; orgId: string | undefined },
  sql: Sql,
): Promise<void> {
  allowOperator(caller)
  refuseWeakPassword(password)
  const user = await theAccount(sql, email.toLowerCase(), orgId)
  if (!user) throw notFound('no such user')
  await setPassword(sql, user.id, await hashPassword(password))
}
