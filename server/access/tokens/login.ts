import { tooManyRequests, unauthorized } from '../../base/errors.ts'
import type { Limiter } from '../../platform/limits/port.ts'
import { findUserByEmail } from '../users/store.ts'
import { openSession, type TokenDeps } from './open-session.ts'
import { verifyNothing, verifyPassword } from './passwords.ts'
import type { Tokens } from './schemas.ts'

export interface LoginDeps extends TokenDeps {
  limiter: Limiter
  /** Attempts for each account, whoever makes them and from wherever; 0 for no limit. */
  passwordsPerMinute: number
}

export async function login(email: string, password: string, deps: LoginDeps): Promise<Tokens> {
  const address = email.toLowerCase()
  await countAttempt(address, deps)
  const user = await findUserByEmail(deps.sql, address)
  const right = user?.password_hash
    ? await verifyPassword(password, user.password_hash)
    : await verifyNothing(password)
  if (!user || !right) throw unauthorized('wrong email or password')
  return openSession({ userId: user.id }, deps)
}

async function countAttempt(address: string, { limiter, passwordsPerMinute }: LoginDeps): Promise<void> {
  if (passwordsPerMinute === 0) return
  const bucket = { key: `password:${address}`, quota: passwordsPerMinute, seconds: 60 }
  const { allowed, states } = await limiter.take([bucket])
  const wait = states[0]!.resetSeconds
  if (!allowed) throw tooManyRequests(`too many attempts for this account; try again in ${wait} s`, wait)
}
