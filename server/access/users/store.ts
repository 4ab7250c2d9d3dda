import type { OrganizationId, SessionId, UserId } from '../../base/ids.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import type { Role } from '../members/schemas.ts'

export interface User {
  id: UserId
  email: string
  created_at: string
  updated_at: string
}

export interface Account extends User {
  /** Null for those who sign in through an OpenID issuer only. */
  password_hash: string | null
  /** The one organization that it is good for, as long as nobody has proved that its address is theirs. */
  confined_to: string | null
}

const columns = (sql: Queryable) => sql`id, email, created_at, updated_at`

export async function insertUser(
  sql: Queryable,
  user: { id: UserId; email: string; passwordHash: string | null; confinedTo: string | null },
): Promise<void> {
  await sql`
    insert into users (id, email, password_hash, email_verified, confined_to)
    values (${user.id}, ${user.email}, ${user.passwordHash}, ${user.confinedTo === null}, ${user.confinedTo})`
}

/** The account whose holder has proved that the address is theirs. */
export async function findProvedAccount(sql: Queryable, email: string): Promise<Account | undefined> {
  const [row] = await sql<Account[]>`
    select ${columns(sql)}, password_hash, confined_to from users where email = ${email} and confined_to is null`
  return row
}

/** Each is checked against a password when somebody signs in, and each check is work. */
const MOST_ACCOUNTS = 10

/**
 * All accounts of an address, the proved one first, then the newest; those that are good for an organization where one is
 * named.
 */
export function accountsOf(sql: Queryable, email: string, orgId?: OrganizationId): Promise<Account[]> {
  return sql<Account[]>`
    select ${columns(sql)}, password_hash, confined_to from users
    where email = ${email} and (${orgId ?? null}::text is null or coalesce(confined_to, ${orgId ?? null}) = ${orgId ?? null})
    order by confined_to is not null, id desc limit ${MOST_ACCOUNTS}`
}

export async function findUser(sql: Queryable, id: string): Promise<User | undefined> {
  const [row] = await sql<User[]>`select ${columns(sql)} from users where id = ${id}`
  return row
}

export function listUsers(sql: Sql) {
  return sql<(User & { confined_to: string | null; organizations: string[] })[]>`
    select ${columns(sql)}, confined_to,
      array(select org_id from memberships m where m.user_id = u.id order by org_id) as organizations
    from users u order by id`
}

export function organizationsOfUser(sql: Sql, userId: UserId) {
  return sql<{ id: OrganizationId; name: string; role: Role; permissions: string[] }[]>`
    select o.id, o.name, m.role,
      array(select distinct unnest(p.permissions) from policy_attachments a join policies p on p.id = a.policy_id
            where a.org_id = m.org_id and a.user_id = m.user_id) as permissions
    from memberships m join organizations o on o.id = m.org_id
    where m.user_id = ${userId} and m.status = 'active' order by o.id`
}

export async function findAccount(sql: Queryable, id: UserId): Promise<Account | undefined> {
  const [row] = await sql<Account[]>`
    select ${columns(sql)}, password_hash, confined_to from users where id = ${id}`
  return row
}

/** A new password ends every sign-in made with the old one, but for the one that it is set by, and every link. */
export async function setPassword(
  tx: Transaction,
  userId: UserId,
  passwordHash: string,
  by?: SessionId,
): Promise<void> {
  await tx`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${userId}`
  await tx`delete from sessions where user_id = ${userId} and id is distinct from ${by ?? null}`
  await tx`delete from account_links where user_id = ${userId}`
}

/** From now on it is the proved account of its address. */
export async function liftConfinement(sql: Queryable, userId: UserId): Promise<void> {
  await sql`update users set confined_to = null, email_verified = true, updated_at = now() where id = ${userId}`
}

/** With their passwords and sign-ins. */
export async function deleteConfinedAccounts(sql: Queryable, email: string): Promise<void> {
  await sql`delete from users where email = ${email} and confined_to is not null`
}

/** An account that is good for one organization ends with its membership there. */
export async function deleteIfConfinedTo(
  sql: Queryable,
  userId: UserId,
  orgId: OrganizationId,
): Promise<void> {
  await sql`delete from users where id = ${userId} and confined_to = ${orgId}`
}

/** Nobody else deals with this address until the transaction ends. */
export async function lockAddress(sql: Queryable, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('address ' || ${email}))`
}
