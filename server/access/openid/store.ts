import type { Sql } from '../../platform/postgres/client.ts'

/** A sign-in that a browser has begun at an issuer. */
export interface FlowRecord {
  nonce: string
  code_verifier: string
}

export async function insertFlow(
  sql: Sql,
  flow: FlowRecord & { stateHash: Buffer; browserHash: Buffer; issuer: string; lifetimeSeconds: number },
): Promise<void> {
  await sql`
    insert into openid_flows (state_hash, browser_hash, issuer, nonce, code_verifier, expires_at)
    values (${flow.stateHash}, ${flow.browserHash}, ${flow.issuer}, ${flow.nonce}, ${flow.code_verifier},
            now() + make_interval(secs => ${flow.lifetimeSeconds}))`
}

/** One that still stands and was begun by this browser at this issuer; it cannot be taken twice. */
export async function takeFlow(
  sql: Sql,
  { stateHash, browserHash, issuer }: { stateHash: Buffer; browserHash: Buffer; issuer: string },
): Promise<FlowRecord | undefined> {
  const [row] = await sql<FlowRecord[]>`
    delete from openid_flows
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and issuer = ${issuer} and expires_at > now()
    returning nonce, code_verifier`
  return row
}

export async function deleteExpiredFlows(sql: Sql): Promise<void> {
  await sql`
    delete from openid_flows
    where state_hash in (select state_hash from openid_flows where expires_at <= now() limit 100)`
}
