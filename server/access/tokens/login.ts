import { unauthorized } from '../../base/errors.ts'
import { findUserByEmail } from '../users/store.ts'
import { type AttemptDeps, countAttempt } from './count-attempt.ts'
import { openSession, type TokenDeps } from './open-session.ts'
import { verifyNothing, verifyPassword } from './passwords.ts'
import type { Tokens } from './schemas.ts'

export type LoginDeps = TokenDeps & AttemptDeps

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
