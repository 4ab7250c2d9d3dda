import type { KeyId, OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import type { KeyKind } from './kinds.ts'
import type { ApiKey } from './schemas.ts'

interface KeyRow extends Omit<ApiKey, 'kind' | 'expiring_at' | 'last_used'> {
  kind: KeyKind
  expiring_at: string | null
  last_used: string | null
}

function toKey({ expiring_at, last_used, ...rest }: KeyRow): ApiKey & { kind: KeyKind } {
  return { ...rest, ...(expiring_at && { expiring_at }), ...(last_used && { last_used }) }
}

const columns = (sql: Queryable) => sql`
  k.id, p.org_id, k.project_id, p.name as project_name, k.name, k.kind, k.created_at, k.expiring_at, k.last_used`

export interface InsertedKey {
  id: KeyId
  projectId: ProjectId
  kind: KeyKind
  name: string
  createdBy: string
  expiringAt?: string
  hash: Buffer
}

export async function insertKey(sql: Queryable, key: InsertedKey): Promise<void> {
  await sql`
    with made as (
      insert into api_keys (id, project_id, kind, name, created_by, expiring_at)
      values (${key.id}, ${key.projectId}, ${key.kind}, ${key.name}, ${key.createdBy}, ${key.expiringAt ?? null})
      returning id)
    insert into api_key_secrets (key_id, hash) select id, ${key.hash} from made`
}

export async function findKey(sql: Queryable, orgId: OrganizationId, keyId: KeyId) {
  const [row] = await sql<KeyRow[]>`
    select ${columns(sql)} from api_keys k join projects p on p.id = k.project_id
    where k.id = ${keyId} and p.org_id = ${orgId} and p.deleted_at is null`
  return row && toKey(row)
}

/** The permission strings of the policies attached to a key; undefined where it has none. */
export async function policiesOfKey(sql: Queryable, keyId: KeyId): Promise<string[] | undefined> {
  const rows = await sql<{ permissions: string[] }[]>`
    select p.permissions from policy_attachments a join policies p on p.id = a.policy_id where a.key_id = ${keyId}`
  return rows.length > 0 ? rows.flatMap((row) => row.permissions) : undefined
}

export async function listKeys(
  sql: Sql,
  orgId: OrganizationId,
  projectId: ProjectId | undefined,
  page: Page,
) {
  const rows = await sql<(KeyRow & { total: number })[]>`
    select ${columns(sql)} from api_keys k join projects p on p.id = k.project_id
    where p.org_id = ${orgId} and p.deleted_at is null
      and (${projectId ?? null}::text is null or k.project_id = ${projectId ?? null})
    order by k.id desc limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from api_keys k join projects p on p.id = k.project_id
    where p.org_id = ${orgId} and p.deleted_at is null
      and (${projectId ?? null}::text is null or k.project_id = ${projectId ?? null})`
  return { api_keys: rows.map(toKey), total: count!.total }
}

/** The new secret works from now on, the ones before it for so many more seconds. False for a key that is gone. */
export async function replaceSecret(
  tx: Transaction,
  keyId: KeyId,
  hash: Buffer,
  graceSeconds: number,
): Promise<boolean> {
  // One rotation at a time: of two at once, the second must see, and end, the first one's secret.
  const [key] = await tx`select from api_keys where id = ${keyId} for update`
  if (!key) return false
  await tx`delete from api_key_secrets where key_id = ${keyId} and expires_at <= now()`
  await tx`
    update api_key_secrets
    set expires_at = least(expires_at, now() + make_interval(secs => ${graceSeconds}))
    where key_id = ${keyId}`
  await tx`insert into api_key_secrets (key_id, hash) values (${keyId}, ${hash})`
  return true
}

/** Has the project's webhooks told. */
export async function tellRotated(tx: Transaction, key: ApiKey): Promise<void> {
  const facts = { ...key, key_id: key.id }
  await tx`select record_message(${key.project_id}, 'key.rotated', ${key.id}, ${tx.json(facts as never)})`
}

export async function deleteKey(tx: Transaction, keyId: KeyId): Promise<boolean> {
  const deleted = await tx`delete from api_keys where id = ${keyId}`
  return deleted.count > 0
}

export async function organizationOfKey(
  sql: Queryable,
  keyId: KeyId,
): Promise<{ org_id: OrganizationId } | undefined> {
  const [row] = await sql<{ org_id: OrganizationId }[]>`
    select p.org_id from api_keys k join projects p on p.id = k.project_id
    where k.id = ${keyId} and p.deleted_at is null`
  return row
}
