import { forbidden } from '../../base/errors.ts'
import { authenticateKey } from '../authentication/authenticate-key.ts'
import { parseKey } from '../keys/secret.ts'
import { openSession, type TokenDeps } from './open-session.ts'
import type { Tokens } from './schemas.ts'

/** A secret key becomes a bearer of its project; it ends with the key. */
export async function exchangeKey(apiKey: string, deps: TokenDeps): Promise<Tokens> {
  const caller = await authenticateKey(apiKey, { sql: deps.sql })
  if (caller.kind !== 'secret_key') throw forbidden('only a secret key can become a token')
  return openSession({ keyId: caller.id, secretHash: parseKey(apiKey)!.hash }, deps)
}
