import { randomBytes } from 'node:crypto'
import type { Sql } from '../../platform/postgres/client.ts'
import { findSecret, keepSecret } from './store.ts'

/** A secret that is made once and shared by all processes on this database. */
export function installationSecret(
  sql: Sql,
  name: 'token_signing' | 'upload_signing' | 'domain_proof',
): Promise<string> {
  return keepSecret(sql, name, randomBytes(32).toString('base64url'))
}

/** What payments are signed with unless settings say otherwise, as quickstart.json has it; undefined before the first start. */
export function findWebhookSecret(sql: Sql): Promise<string | undefined> {
  return findSecret(sql, 'webhook')
}
