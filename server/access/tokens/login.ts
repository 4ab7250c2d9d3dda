import { unauthorized } from '../../base/errors.ts'
import { type Account, accountsOf } from '../users/store.ts'
import { type Attempt, type AttemptDeps, countAttempt, countStranger } from './count-attempt.ts'
import { accountsKnownAt, rememberAddress } from './known-addresses.ts'
import { openSession, type TokenDeps } from './open-session.ts'
import { matchingAccount } from './passwords.ts'
import type { Tokens } from './schemas.ts'

export type LoginDeps = TokenDeps & AttemptDeps

interface Credentials {
  email: string
  password: string
  /** Which of the organizations, where accounts of the address have the same password. */
  orgId: string | undefined
  /** The client's address. */
  from: string
}

export async function login(credentials: Credentials, deps: LoginDeps): Promise<Tokens> {
  const attempt = { account: credentials.email.toLowerCase(), from: credentials.from }
  await countAttempt(attempt, deps)
  const user = await accountOf(credentials, attempt, deps)
  if (!user) throw unauthorized('wrong email or password')
  await rememberAddress(user.id, credentials.from, deps.sql)
  return openSession({ userId: user.id }, deps)
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
