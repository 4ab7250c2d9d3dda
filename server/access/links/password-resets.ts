import type { CallerOrigin } from '../../base/caller.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import type { Limiter } from '../../platform/limits/port.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { hashPassword, refuseWeakPassword } from '../tokens/passwords.ts'
import {
  type Account,
  findAccount,
  findProvedAccount,
  liftConfinement,
  lockAddress,
  setPassword,
} from '../users/store.ts'
import { takeOverAddress } from '../users/users.ts'
import { invalidLink, standingLink, useLink } from './account-links.ts'
import { MAIL_RESET } from './mail-reset.ts'

export interface ResetDeps {
  sql: Sql
  jobs: Pick<JobQueue, 'enqueue'>
  limiter: Limiter
  /** To each address; 0 for no limit. */
  resetMailsPerHour: number
  /** Whether mail is set up: else only the operator can make a link. */
  hasMail: boolean
}

/**
 * Has a link for a new password mailed to an address. Whether it has an account is looked up by the job that mails it: what is
 * done here is the same for every address, and so is how long it takes.
 */
export async function requestReset(email: string, deps: ResetDeps): Promise<void> {
  if (!deps.hasMail) return
  const address = email.toLowerCase()
  if (!(await countMail(address, deps))) return
  await deps.sql.begin((tx) => deps.jobs.enqueue(tx, MAIL_RESET, address, { email: address }))
}

/** Nobody's mailbox is filled by strangers. Whoever asks too often has a link already, and is told nothing else. */
async function countMail(
  address: string,
  { limiter, resetMailsPerHour: quota }: ResetDeps,
): Promise<boolean> {
  if (quota === 0) return true
  const { allowed } = await limiter.take([{ key: `reset:${address}`, quota, seconds: 3600 }])
  return allowed
}

/** Sets the password of whose link it is; every sign-in of theirs ends. */
export async function completeReset(
  { token, password, from }: { token: string; password: string; from: CallerOrigin },
  sql: Sql,
): Promise<void> {
  refuseWeakPassword(password)
  // A password takes long to hash: that is done for who has a link, and before the transaction.
  const { user_id: userId } = await standingLink(sql, 'reset', token)
  const passwordHash = await hashPassword(password)
  await sql.begin(async (tx) => {
    const account = await findAccount(tx, userId)
    if (account) await lockAddress(tx, account.email)
    const { mailed } = await useLink(tx, 'reset', token)
    if (mailed && account?.confined_to) await proveByMail(tx, account, from)
    await setPassword(tx, userId, passwordHash)
  })
}

/** Who has a mailed link reads the address's mail: it is theirs, and with it what others gave to that address. */
async function proveByMail(tx: Transaction, { id, email }: Account, from: CallerOrigin): Promise<void> {
  // Proved in the meantime: the link was for an account that is not the address's own any more.
  if (await findProvedAccount(tx, email)) throw invalidLink()
  await liftConfinement(tx, id)
  await takeOverAddress(tx, { email, userId: id }, { id, from })
}
