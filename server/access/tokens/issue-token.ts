import type { Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import { theAccount } from '../users/the-account.ts'
import type { TokenDeps } from './open-session.ts'
import { insertSession } from './store.ts'

/** An access token for a user, without their password; for the person at the machine. */
export async function issueToken(
  caller: Caller,
  { email, orgId, lifetimeSeconds }: { email: string; orgId?: string; lifetimeSeconds: number },
  { sql, issuer }: Pick<TokenDeps, 'sql' | 'issuer'>,
): Promise<string> {
  allowOperator(caller)
  const user = await theAccount(sql, email.toLowerCase(), orgId)
  if (!user) throw notFound('no such user')
  const sessionId = newId('session')
  await insertSession(sql, sessionId, { userId: user.id }, lifetimeSeconds)
  return issuer.signAccess({ subject: user.id, sessionId }, lifetimeSeconds)
}
