import type { Plan } from '../../base/caller.ts'
import type { KeyId, OrganizationId, ProjectId, SessionId, UserId } from '../../base/ids.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import type { KeyKind } from '../keys/kinds.ts'
import type { Role } from '../members/schemas.ts'

export interface KeyRecord {
  id: KeyId
  kind: KeyKind
  org_id: OrganizationId
  project_id: ProjectId
  plan: Plan
  hashes: string[]
  /** Null where no policy is attached. */
  policies: string[] | null
}

const keyColumns = (sql: Queryable) => sql`
  k.id, k.kind, p.org_id, k.project_id, o.current_plan as plan,
  array(select encode(s.hash, 'hex') from api_key_secrets s
        where s.key_id = k.id and (s.expires_at is null or s.expires_at > now())) as hashes,
  (select array_agg(permission) from policy_attachments a join policies pol on pol.id = a.policy_id
   left join lateral unnest(pol.permissions) permission on true where a.key_id = k.id) as policies`

/** Read anew for every request: a revoked key is refused by every process at once. */
export async function findLiveKey(sql: Sql, keyId: KeyId): Promise<KeyRecord | undefined> {
  const [row] = await sql<KeyRecord[]>`
    select ${keyColumns(sql)}
    from api_keys k join projects p on p.id = k.project_id join organizations o on o.id = p.org_id
    where k.id = ${keyId} and p.deleted_at is null and (k.expiring_at is null or k.expiring_at > now())`
  return row
}

/** The key behind a token that was got for it. */
export async function findKeyOfSession(sql: Sql, sessionId: SessionId): Promise<KeyRecord | undefined> {
  const [row] = await sql<KeyRecord[]>`
    select ${keyColumns(sql)}
    from sessions s join api_keys k on k.id = s.key_id
      join api_key_secrets shown on shown.key_id = s.key_id and shown.hash = s.secret_hash
      join projects p on p.id = k.project_id join organizations o on o.id = p.org_id
    where s.id = ${sessionId} and s.expires_at > now() and p.deleted_at is null
      and (shown.expires_at is null or shown.expires_at > now()) and (k.expiring_at is null or k.expiring_at > now())`
  return row
}

export interface MembershipRecord {
  org_id: OrganizationId
  plan: Plan
  role: Role
  permissions: string[]
}

export interface UserRecord {
  id: UserId
  /** Those that are not suspended. */
  memberships: MembershipRecord[]
  /** Whether there are others. */
  suspended: boolean
}

const memberships = (sql: Queryable) => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('org_id', m.org_id, 'plan', o.current_plan, 'role', m.role, 'permissions', coalesce((
      select jsonb_agg(distinct permission)
      from policy_attachments a join policies p on p.id = a.policy_id cross join unnest(p.permissions) permission
      where a.org_id = m.org_id and a.user_id = m.user_id), '[]')) order by m.org_id)
    from memberships m join organizations o on o.id = m.org_id where m.user_id = u.id and m.status = 'active'), '[]') as memberships,
  exists (select from memberships m where m.user_id = u.id and m.status = 'suspended') as suspended`

export async function findUserOfSession(sql: Sql, sessionId: SessionId): Promise<UserRecord | undefined> {
  const [row] = await sql<UserRecord[]>`
    select u.id, ${memberships(sql)} from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and s.expires_at > now()`
  return row
}

export async function findUserOfIdentity(sql: Queryable, issuer: string, subject: string) {
  const [row] = await sql<UserRecord[]>`
    select u.id, ${memberships(sql)} from identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject}`
  return row
}

export async function insertIdentity(
  sql: Transaction,
  issuer: string,
  subject: string,
  userId: UserId,
): Promise<void> {
  await sql`
    insert into identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})
    on conflict do nothing`
}

export async function touchKeys(sql: Sql, keyIds: KeyId[]): Promise<void> {
  await sql`update api_keys set last_used = now() where id = any(${keyIds})`
}
