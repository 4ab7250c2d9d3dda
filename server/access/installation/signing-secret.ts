import { randomBytes } from 'node:crypto'
import type { Sql } from '../../platform/postgres/client.ts'
import { keepSecret } from './store.ts'

/** The secret behind the built-in tokens: made once, shared by all processes on this database. */
export function signingSecret(sql: Sql): Promise<string> {
  return keepSecret(sql, 'token_signing', randomBytes(32).toString('base64url'))
}
