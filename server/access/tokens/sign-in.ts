import { createHash } from 'node:crypto'
import { unauthorized } from '../../base/errors.ts'
import type { OrganizationId, UserId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type Account, accountsOf } from '../users/store.ts'
import { type Attempt, type AttemptDeps, countAttempt, countStranger, networkOf } from './count-attempt.ts'
import { matchingAccount } from './passwords.ts'
import type { Tokens } from './schemas.ts'
import { openSession, type TokenDeps } from './sessions.ts'
import { findKnownTo, keepKnownAddress } from './store.ts'

export type LoginDeps = TokenDeps & AttemptDeps

interface Credentials {
  email: string
  password: string
  /** Which of the organizations, where accounts of the address have the same password. */
  orgId: OrganizationId | undefined
  /** The client's address. */
  from: string
}

export async function login(credentials: Credentials, deps: LoginDeps): Promise<Tokens> {
  return openSession({ userId: (await signedIn(credentials, deps)).id }, deps)
}

/** Whose password it is. */
export async function signedIn(credentials: Credentials, deps: LoginDeps): Promise<Account> {
  const attempt = { account: credentials.email.toLowerCase(), from: credentials.from }
  await countAttempt(attempt, deps)
  const user = await accountOf(credentials, attempt, deps)
  if (!user) throw unauthorized('wrong email or password')
  await rememberAddress(user.id, credentials.from, deps.sql)
  return user
}

/** An address may have several accounts, in several organizations: the password decides whose sign-in it is. */
async function accountOf(
  { password, orgId }: Credentials,
  attempt: Attempt,
  deps: LoginDeps,
): Promise<Account | undefined> {
  const accounts = await accountsOf(deps.sql, attempt.account, orgId)
  const known = await accountsKnownAt(accounts, attempt.from, deps.sql)
  const user = known.length > 0 ? await matchingAccount(password, known) : undefined
  const others = accounts.filter((account) => !known.includes(account))
  if (user || (known.length > 0 && others.length === 0)) return user
  await countStranger(attempt, deps)
  return matchingAccount(password, others)
}

/** Which of these accounts signed in from this client address before. */
async function accountsKnownAt<A extends { id: UserId }>(
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
export async function rememberAddress(userId: UserId, from: string, sql: Sql): Promise<void> {
  await keepKnownAddress(sql, userId, hashOf(userId, from))
}

/** Where people were is nobody's business: the address itself is not kept. */
function hashOf(userId: UserId, from: string): Buffer {
  return createHash('sha256')
    .update(`${userId} ${networkOf(from)}`)
    .digest()
}
