import { randomBytes } from 'node:crypto'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'

/** One process at a time decides whether this is the first start. */
export async function lockInstallation(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('marquee installation'))`
}

export async function isInstalled(sql: Queryable): Promise<boolean> {
  const rows = await sql`select from organizations limit 1`
  return rows.length > 0
}

/** Keeps the value that is there already, if one is, and answers what is kept. */
export async function keepSecret(sql: Queryable, name: string, value: string): Promise<string> {
  await sql`insert into installation_secrets (name, value) values (${name}, ${value}) on conflict do nothing`
  return (await findSecret(sql, name))!
}

async function findSecret(sql: Queryable, name: string): Promise<string | undefined> {
  const [row] = await sql<{ value: string }[]>`select value from installation_secrets where name = ${name}`
  return row?.value
}

/** A secret that is made once and shared by all processes on this database. */
export function installationSecret(
  sql: Sql,
  name: 'token_signing' | 'upload_signing' | 'domain_proof' | 'size_signing' | 'playback_signing',
): Promise<string> {
  return keepSecret(sql, name, randomBytes(32).toString('base64url'))
}

/** What payments are signed with unless settings say otherwise, as quickstart.json has it; undefined before the first start. */
export function findWebhookSecret(sql: Sql): Promise<string | undefined> {
  return findSecret(sql, 'webhook')
}
