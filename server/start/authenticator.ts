import { authenticateKey, authenticateToken, type TokenIssuer } from '../access/index.ts'
import { coalesce } from '../base/async/coalesce.ts'
import type { KeyId } from '../base/ids.ts'
import type { Config } from '../config/config.ts'
import type { Authenticator } from '../http/authentication.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { openIdOf } from './openid.ts'

interface AuthenticatorDeps {
  sql: Sql
  issuer: TokenIssuer
  /** Told of every key that is used. */
  noteUse(keyId: KeyId): void
}

/** How it is known who calls: by a key, by a token of ours, or by one of the OpenID issuer that is configured. */
export function authenticatorOf(config: Config, { sql, issuer, noteUse }: AuthenticatorDeps): Authenticator {
  const openId = openIdOf(config)
  const look = coalesce()
  return {
    async byKey(key) {
      const caller = await authenticateKey(key, { sql, look })
      noteUse(caller.id)
      return caller
    },
    byToken: (token, from) => authenticateToken(token, from, { sql, issuer, openId }),
  }
}
