import type { OrganizationId, UserId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import type { Policy } from '../policies/schemas.ts'
import type { Invitation, Member, MemberStatus, Role } from './schemas.ts'

const columns = (sql: Queryable) => sql`
  m.user_id, u.email, u.confined_to is null as email_verified, m.role, m.status, m.created_at,
  array(select a.policy_id from policy_attachments a
        where a.org_id = m.org_id and a.user_id = m.user_id order by a.policy_id) as policy_ids`

/** False where they are a member already. Throws where the account is good for another organization only. */
export async function insertMember(
  sql: Queryable,
  orgId: OrganizationId,
  userId: UserId,
  role: Role,
): Promise<boolean> {
  const [row] = await sql<{ is_new: boolean }[]>`
    insert into memberships (org_id, user_id, role)
    select ${orgId}, u.id, ${role} from users u
    where u.id = ${userId} and (u.confined_to is null or u.confined_to = ${orgId})
    on conflict (org_id, user_id) do update set role = memberships.role
    returning xmax = 0 as is_new`
  if (!row) throw new Error('an account that is not proved cannot join another organization')
  return row.is_new
}

export interface TakenMembership {
  org_id: OrganizationId
  /** Whose it was. */
  user_id: UserId
  role: Role
  status: MemberStatus
  /** What whoever takes it was there before; null where they were nobody. */
  had: Role | null
}

/** What confined accounts of an address were given becomes this user's. Answers what that was. */
export async function takeOverMemberships(sql: Queryable, email: string, userId: UserId) {
  const memberships = await sql<TakenMembership[]>`
    select m.org_id, m.user_id, m.role, m.status, own.role as had
    from memberships m join users u on u.id = m.user_id
    left join memberships own on own.org_id = m.org_id and own.user_id = ${userId}
    where u.email = ${email} and u.confined_to is not null order by m.org_id for update of m`
  await sql`
    insert into memberships (org_id, user_id, role, status, created_at)
    select m.org_id, ${userId}, m.role, m.status, m.created_at
    from memberships m join users u on u.id = m.user_id where u.email = ${email} and u.confined_to is not null
    on conflict (org_id, user_id) do update set role = 'owner' where excluded.role = 'owner'`
  const policies = await sql<Pick<Policy, 'id' | 'org_id' | 'name'>[]>`
    update policy_attachments a set user_id = ${userId} from users u, policies p
    where u.id = a.user_id and p.id = a.policy_id and u.email = ${email} and u.confined_to is not null and not exists (
      select from policy_attachments b where b.policy_id = a.policy_id and b.user_id = ${userId})
    returning p.id, p.org_id, p.name`
  return { memberships, policies }
}

export async function findMember(
  sql: Queryable,
  orgId: OrganizationId,
  userId: UserId,
): Promise<Member | undefined> {
  const [row] = await sql<Member[]>`
    select ${columns(sql)} from memberships m join users u on u.id = m.user_id
    where m.org_id = ${orgId} and m.user_id = ${userId}`
  return row
}

export async function isMemberByEmail(
  sql: Queryable,
  orgId: OrganizationId,
  email: string,
): Promise<boolean> {
  const rows = await sql`
    select from memberships m join users u on u.id = m.user_id where m.org_id = ${orgId} and u.email = ${email}`
  return rows.length > 0
}

export async function listMembers(sql: Sql, orgId: OrganizationId, page: Page) {
  const members = await sql<Member[]>`
    select ${columns(sql)} from memberships m join users u on u.id = m.user_id
    where m.org_id = ${orgId} order by m.user_id limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from memberships where org_id = ${orgId}`
  return { members: [...members], total: count!.total }
}

/** Locks the owners of an organization who are not suspended, so that two of them cannot remove each other at once. */
export async function lockOwners(sql: Queryable, orgId: OrganizationId): Promise<UserId[]> {
  const rows = await sql<{ user_id: UserId }[]>`
    select user_id from memberships where org_id = ${orgId} and role = 'owner' and status = 'active'
    order by user_id for update`
  return rows.map((row) => row.user_id)
}

export async function setRole(
  sql: Queryable,
  orgId: OrganizationId,
  userId: UserId,
  role: Role,
): Promise<void> {
  await sql`update memberships set role = ${role} where org_id = ${orgId} and user_id = ${userId}`
}

export async function setStatus(
  sql: Queryable,
  orgId: OrganizationId,
  userId: UserId,
  status: MemberStatus,
): Promise<void> {
  await sql`update memberships set status = ${status} where org_id = ${orgId} and user_id = ${userId}`
}

export async function deleteMember(sql: Queryable, orgId: OrganizationId, userId: UserId): Promise<void> {
  await sql`delete from memberships where org_id = ${orgId} and user_id = ${userId}`
}

const invitationColumns = (sql: Queryable) =>
  sql`id, org_id, email, role, policy_ids, invited_by, created_at, expires_at`

/** Inviting the same address again replaces the earlier invitation. */
export async function upsertInvitation(
  sql: Queryable,
  invitation: Pick<Invitation, 'id' | 'org_id' | 'email' | 'role' | 'policy_ids' | 'invited_by'> & {
    token_hash: Buffer
    /** Whether nobody but the address has the token. */
    mailed: boolean
    lifetimeSeconds: number
  },
): Promise<Invitation> {
  const { lifetimeSeconds, ...row } = invitation
  const [made] = await sql<Invitation[]>`
    insert into invitations (id, org_id, email, role, policy_ids, invited_by, token_hash, mailed, expires_at)
    values (${row.id}, ${row.org_id}, ${row.email}, ${row.role}, ${row.policy_ids}, ${row.invited_by},
            ${row.token_hash}, ${row.mailed}, now() + make_interval(secs => ${lifetimeSeconds}))
    on conflict (org_id, email) do update set
      id = excluded.id, role = excluded.role, policy_ids = excluded.policy_ids, invited_by = excluded.invited_by,
      token_hash = excluded.token_hash, mailed = excluded.mailed, created_at = now(), expires_at = excluded.expires_at
    returning ${invitationColumns(sql)}`
  return made!
}

export async function listInvitations(sql: Sql, orgId: OrganizationId, page: Page) {
  const invitations = await sql<Invitation[]>`
    select ${invitationColumns(sql)} from invitations where org_id = ${orgId} and expires_at > now()
    order by id limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from invitations where org_id = ${orgId} and expires_at > now()`
  return { invitations: [...invitations], total: count!.total }
}

/** The one to an address, or of an id, that still stands. */
export async function findInvitation(
  sql: Queryable,
  orgId: OrganizationId,
  by: { email: string } | { id: string },
): Promise<Invitation | undefined> {
  const match = 'id' in by ? sql`id = ${by.id}` : sql`email = ${by.email}`
  const [row] = await sql<Invitation[]>`
    select ${invitationColumns(sql)} from invitations where org_id = ${orgId} and ${match} and expires_at > now()`
  return row
}

export async function deleteInvitation(sql: Queryable, id: string): Promise<void> {
  await sql`delete from invitations where id = ${id}`
}

/** One that still stands, with what shows that somebody has its token. */
export async function findInvitationToken(
  sql: Queryable,
  id: string,
): Promise<(Invitation & { token_hash: Buffer; mailed: boolean }) | undefined> {
  const [row] = await sql<(Invitation & { token_hash: Buffer; mailed: boolean })[]>`
    select ${invitationColumns(sql)}, token_hash, mailed from invitations where id = ${id} and expires_at > now()`
  return row
}

/** Takes an invitation that still stands; it cannot be taken twice. */
export async function takeInvitation(sql: Queryable, id: string): Promise<Invitation | undefined> {
  const [row] = await sql<Invitation[]>`
    delete from invitations where id = ${id} and expires_at > now() returning ${invitationColumns(sql)}`
  return row
}

/** As `takeInvitation`, for all that wait for one address. */
export function takeInvitationsOf(sql: Queryable, email: string): Promise<Invitation[]> {
  return sql<Invitation[]>`
    delete from invitations where email = ${email} and expires_at > now() returning ${invitationColumns(sql)}`
}
