import { newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { TokenIssuer } from '../tokens/issuer.ts'
import { insertSession } from '../tokens/store.ts'
import { findOwner } from './store.ts'

const LIFETIME_SECONDS = 24 * 3600

/** A day-long access token for the owner that the first start made; undefined once they are gone. */
export async function ownerToken(email: string, sql: Sql, issuer: TokenIssuer): Promise<string | undefined> {
  const userId = await findOwner(sql, email)
  if (!userId) return undefined
  const sessionId = newId('session')
  await insertSession(sql, sessionId, { userId }, LIFETIME_SECONDS)
  return issuer.signAccess({ subject: userId, sessionId }, LIFETIME_SECONDS)
}
