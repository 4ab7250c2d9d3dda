import { unauthorized } from '../../base/errors.ts'
import { signPair, type TokenDeps } from './open-session.ts'
import type { Tokens } from './schemas.ts'
import { advanceSession, deleteSession } from './store.ts'

export async function refreshTokens(
  refreshToken: string,
  { sql, issuer, lifetimes }: TokenDeps,
): Promise<Tokens> {
  const { sessionId, generation } = await issuer.readRefresh(refreshToken)
  const session = await advanceSession(sql, {
    sessionId,
    generation,
    lifetimeSeconds: lifetimes.refreshToken,
  })
  if (!session) {
    // One of ours, but spent: two parties hold it, and one of them stole it. End it for both.
    const ended = await deleteSession(sql, sessionId)
    if (!ended) throw unauthorized('signed out; sign in again')
    throw unauthorized(
      ended.generation === generation
        ? 'the session has expired, or its key was changed; sign in again'
        : 'the refresh token was used before; sign in again',
    )
  }
  return signPair({ subject: session.subject, sessionId, generation: generation + 1 }, issuer, lifetimes)
}
