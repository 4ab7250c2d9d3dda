import { conflict } from '../../base/errors.ts'
import type { Queryable } from '../../platform/postgres/client.ts'
import { type Account, accountsOf } from './store.ts'

/**
 * The account that an operator means by an address: of the organization that they name, else the proved one, else the only
 * one there is.
 */
export async function theAccount(
  sql: Queryable,
  email: string,
  orgId: string | undefined,
): Promise<Account | undefined> {
  const accounts = await accountsOf(sql, email, orgId)
  const named = accounts.find(({ confined_to }) => orgId !== undefined && confined_to === orgId)
  const proved = accounts.find(({ confined_to }) => confined_to === null)
  if (!named && !proved && accounts.length > 1)
    throw conflict('several accounts have this address: name the organization')
  return named ?? proved ?? accounts[0]
}
