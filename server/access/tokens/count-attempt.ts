import { isIPv6 } from 'node:net'
import { tooManyRequests } from '../../base/errors.ts'
import type { Bucket, Limiter } from '../../platform/limits/port.ts'

export interface AttemptDeps {
  limiter: Limiter
  /** Attempts for each account from one client address; 0 for no limit. */
  passwordsPerMinute: number
  /** Attempts for each account from all client addresses that it never signed in from; 0 for no limit. */
  strangersPerHour: number
}

export interface Attempt {
  /** The address that somebody signs in as, whether or not it has an account. */
  account: string
  /** The client's address. */
  from: string
}

/**
 * Counts a try at somebody's password, right or wrong; throws 429 when there were too many. For account and client address
 * together: what a stranger tries elsewhere does not keep the account's holder out.
 */
export async function countAttempt({ account, from }: Attempt, deps: AttemptDeps): Promise<void> {
  const quota = deps.passwordsPerMinute
  await take([{ key: `password:${account}:${networkOf(from)}`, quota, seconds: 60 }], deps.limiter)
}

/**
 * Counts a try from where the account never signed in before, which bounds what many strangers can try together. One
 * of them alone cannot use that up.
 */
export async function countStranger({ account, from }: Attempt, deps: AttemptDeps): Promise<void> {
  const quota = deps.strangersPerHour
  const buckets = [
    { key: `strangers:${account}`, quota, seconds: 3600 },
    { key: `stranger:${account}:${networkOf(from)}`, quota: Math.ceil(quota / 10), seconds: 3600 },
  ]
  await take(buckets, deps.limiter)
}

async function take(all: Bucket[], limiter: Limiter): Promise<void> {
  const buckets = all.filter(({ quota }) => quota > 0)
  if (buckets.length === 0) return
  const { allowed, states } = await limiter.take(buckets)
  if (allowed) return
  const wait = Math.max(...states.filter(({ remaining }) => remaining === 0).map((s) => s.resetSeconds))
  throw tooManyRequests(`too many attempts for this account; try again in ${wait} s`, wait)
}

/** Whoever has one address of IPv6 has a whole network of them: the first 56 bits count. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('%')[0]!.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16))
  groups[3] = groups[3]! & 0xff00
  return `${groups.map((group) => group.toString(16)).join(':')}::/56`
}
