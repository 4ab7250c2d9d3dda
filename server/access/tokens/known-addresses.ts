import { createHash } from 'node:crypto'
import type { Sql } from '../../platform/postgres/client.ts'
import { networkOf } from './count-attempt.ts'
import { findKnownTo, keepKnownAddress } from './store.ts'

/** Which of these accounts signed in from this client address before. */
export async function accountsKnownAt<A extends { id: string }>(
  accounts: A[],
  from: string,
  sql: Sql,
): Promise<A[]> {
  if (accounts.length === 0) return []
  const ids = accounts.map(({ id }) => id)
  const hashes = ids.map((id) => hashOf(id, from))
  const known = await findKnownTo(sql, ids, hashes)
  return accounts.filter(({ id }) => known.includes(id))
}

/** From now on strangers' guesses do not keep the account from signing in from there. */
export async function rememberAddress(userId: string, from: string, sql: Sql): Promise<void> {
  await keepKnownAddress(sql, userId, hashOf(userId, from))
}

/** Where people were is nobody's business: the address itself is not kept. */
function hashOf(userId: string, from: string): Buffer {
  return createHash('sha256')
    .update(`${userId} ${networkOf(from)}`)
    .digest()
}
