import type { OrganizationId, ProjectId, SigningKeyId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import type { SigningKey } from './schemas.ts'

const columns = (sql: Queryable) => sql`k.id, k.project_id, k.name, k.public_key, k.created_at`

/** Of one organization, and there of one project, where somebody is confined to it. */
const ofOrganization = (sql: Queryable, orgId: OrganizationId, projectId?: ProjectId) => sql`
  signing_keys k join projects p on p.id = k.project_id
  where p.org_id = ${orgId} and p.deleted_at is null
    and (${projectId ?? null}::text is null or k.project_id = ${projectId ?? null})`

export async function insertKey(
  tx: Transaction,
  key: { id: SigningKeyId; projectId: ProjectId; name: string; publicKey: string; createdBy: string },
): Promise<SigningKey> {
  const [row] = await tx<SigningKey[]>`
    insert into signing_keys as k (id, project_id, name, public_key, created_by)
    values (${key.id}, ${key.projectId}, ${key.name}, ${key.publicKey}, ${key.createdBy}) returning ${columns(tx)}`
  return row!
}

export async function countKeys(sql: Queryable, projectId: ProjectId): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from signing_keys where project_id = ${projectId}`
  return row!.total
}

export async function listKeys(
  sql: Sql,
  orgId: OrganizationId,
  projectId: ProjectId | undefined,
  { limit, offset }: Page,
) {
  const data = await sql<SigningKey[]>`
    select ${columns(sql)} from ${ofOrganization(sql, orgId, projectId)}
    order by k.id desc limit ${limit} offset ${offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from ${ofOrganization(sql, orgId, projectId)}`
  return { data, pagination: { limit, offset, total: count!.total } }
}

export async function findKey(
  sql: Queryable,
  orgId: OrganizationId,
  id: SigningKeyId,
): Promise<SigningKey | undefined> {
  const [row] = await sql<SigningKey[]>`
    select ${columns(sql)} from ${ofOrganization(sql, orgId)} and k.id = ${id}`
  return row
}

export async function deleteKey(tx: Transaction, id: SigningKeyId): Promise<boolean> {
  const deleted = await tx`delete from signing_keys where id = ${id}`
  return deleted.count > 0
}

/** What checks signatures, whoever asks. */
export async function publicKeyOf(sql: Queryable, id: string): Promise<string | undefined> {
  const [row] = await sql<{ public_key: string }[]>`select public_key from signing_keys where id = ${id}`
  return row?.public_key
}
