import { tooManyRequests } from '../../base/errors.ts'
import type { Limiter } from '../../platform/limits/port.ts'

export interface AttemptDeps {
  limiter: Limiter
  /** Attempts for each account, whoever makes them and from wherever; 0 for no limit. */
  passwordsPerMinute: number
}

/** Counts a try at somebody's password, right or wrong; throws 429 when there were too many. */
export async function countAttempt(
  address: string,
  { limiter, passwordsPerMinute }: AttemptDeps,
): Promise<void> {
  if (passwordsPerMinute === 0) return
  const bucket = { key: `password:${address}`, quota: passwordsPerMinute, seconds: 60 }
  const { allowed, states } = await limiter.take([bucket])
  const wait = states[0]!.resetSeconds
  if (!allowed) throw tooManyRequests(`too many attempts for this account; try again in ${wait} s`, wait)
}
