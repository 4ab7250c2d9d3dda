import type { AttachmentId, KeyId, OrganizationId, PolicyId } from '../../base/ids.ts'
import type { Part } from '../../http/pagination.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import type { Attachment, NewAttachment, Policy } from './schemas.ts'

const columns = (sql: Queryable) =>
  sql`id, org_id, name, description, permissions, created_by, created_at, updated_at`

export async function insertPolicy(
  sql: Queryable,
  policy: Pick<Policy, 'id' | 'org_id' | 'name' | 'description' | 'permissions' | 'created_by'>,
): Promise<Policy> {
  const [row] = await sql<Policy[]>`insert into policies ${sql(policy)} returning ${columns(sql)}`
  return row!
}

export async function findPolicy(
  sql: Queryable,
  orgId: OrganizationId,
  policyId: PolicyId,
): Promise<Policy | undefined> {
  const [row] = await sql<Policy[]>`
    select ${columns(sql)} from policies where id = ${policyId} and org_id = ${orgId}`
  return row
}

/** As `findPolicy`, and nobody else changes it until the transaction ends. */
export async function lockPolicy(
  sql: Queryable,
  orgId: OrganizationId,
  policyId: PolicyId,
): Promise<Policy | undefined> {
  const [row] = await sql<Policy[]>`
    select ${columns(sql)} from policies where id = ${policyId} and org_id = ${orgId} for update`
  return row
}

export function findPolicies(
  sql: Queryable,
  orgId: OrganizationId,
  policyIds: PolicyId[],
): Promise<Policy[]> {
  return sql<
    Policy[]
  >`select ${columns(sql)} from policies where org_id = ${orgId} and id = any(${policyIds})`
}

export function listPolicies(
  sql: Sql,
  orgId: OrganizationId,
  { limit, offset = 0 }: Part,
): Promise<Policy[]> {
  return sql<Policy[]>`
    select ${columns(sql)} from policies where org_id = ${orgId}
    order by id limit ${limit ?? null} offset ${offset}`
}

export async function updatePolicy(
  sql: Queryable,
  policyId: PolicyId,
  { name, description, permissions }: Pick<Policy, 'name' | 'description' | 'permissions'>,
): Promise<Policy> {
  const [row] = await sql<Policy[]>`
    update policies set name = ${name}, description = ${description}, permissions = ${permissions}, updated_at = now()
    where id = ${policyId} returning ${columns(sql)}`
  return row!
}

export async function deletePolicy(sql: Queryable, policyId: PolicyId): Promise<void> {
  await sql`delete from policies where id = ${policyId}`
}

const attachmentColumns = (sql: Queryable) => sql`
  id, policy_id,
  case when user_id is null then 'POLICY_IDENTITY_TYPE_API_KEY' else 'POLICY_IDENTITY_TYPE_USER' end as identity_type,
  coalesce(user_id, key_id) as identity_id, created_at`

/** Attaching twice is attaching once. */
export async function attachPolicy(
  sql: Queryable,
  {
    id,
    policyId,
    orgId,
    to,
  }: { id: AttachmentId; policyId: PolicyId; orgId: OrganizationId; to: NewAttachment },
): Promise<Attachment> {
  const userId = to.identity_type === 'POLICY_IDENTITY_TYPE_USER' ? to.identity_id : null
  const keyId = to.identity_type === 'POLICY_IDENTITY_TYPE_API_KEY' ? to.identity_id : null
  await sql`
    insert into policy_attachments (id, policy_id, org_id, user_id, key_id)
    values (${id}, ${policyId}, ${orgId}, ${userId}, ${keyId}) on conflict do nothing`
  const [row] = await sql<Attachment[]>`
    select ${attachmentColumns(sql)} from policy_attachments
    where policy_id = ${policyId} and coalesce(user_id, key_id) = ${to.identity_id}`
  return row!
}

export function listAttachments(
  sql: Queryable,
  policyId: PolicyId,
  { limit, offset = 0 }: Part,
): Promise<Attachment[]> {
  return sql<Attachment[]>`
    select ${attachmentColumns(sql)} from policy_attachments where policy_id = ${policyId}
    order by id limit ${limit ?? null} offset ${offset}`
}

export async function findAttachment(sql: Queryable, orgId: OrganizationId, attachmentId: AttachmentId) {
  const [row] = await sql<Attachment[]>`
    select ${attachmentColumns(sql)} from policy_attachments where id = ${attachmentId} and org_id = ${orgId}`
  return row
}

export async function countPoliciesOfKey(sql: Queryable, keyId: KeyId): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from policy_attachments where key_id = ${keyId}`
  return row!.count
}

/** Serialises changes to what is attached to a key, until the transaction ends. */
export async function lockKey(sql: Queryable, keyId: KeyId): Promise<void> {
  await sql`select from api_keys where id = ${keyId} for update`
}

export async function deleteAttachment(sql: Queryable, attachmentId: AttachmentId): Promise<void> {
  await sql`delete from policy_attachments where id = ${attachmentId}`
}
