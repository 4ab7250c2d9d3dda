import { randomBytes } from 'node:crypto'
import type { Sql } from '../../platform/postgres/client.ts'
import { keepSecret } from './store.ts'

/** A secret that is made once and shared by all processes on this database. */
export function installationSecret(
  sql: Sql,
  name: 'token_signing' | 'upload_signing' | 'domain_proof',
): Promise<string> {
  return keepSecret(sql, name, randomBytes(32).toString('base64url'))
}
