import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import type { Role } from '../members/schemas.ts'

export interface User {
  id: string
  email: string
  created_at: string
  updated_at: string
}

const columns = (sql: Queryable) => sql`id, email, created_at, updated_at`

export async function insertUser(
  sql: Queryable,
  user: { id: string; email: string; passwordHash: string | null; emailVerified: boolean },
): Promise<void> {
  await sql`
    insert into users (id, email, password_hash, email_verified)
    values (${user.id}, ${user.email}, ${user.passwordHash}, ${user.emailVerified})`
}

export async function findUserByEmail(sql: Queryable, email: string) {
  const [row] = await sql<(User & { password_hash: string | null; email_verified: boolean })[]>`
    select ${columns(sql)}, password_hash, email_verified from users where email = ${email}`
  return row
}

export async function findUser(sql: Queryable, id: string): Promise<User | undefined> {
  const [row] = await sql<User[]>`select ${columns(sql)} from users where id = ${id}`
  return row
}

export function listUsers(sql: Sql) {
  return sql<(User & { organizations: string[] })[]>`
    select ${columns(sql)}, array(select org_id from memberships m where m.user_id = u.id order by org_id) as organizations
    from users u order by id`
}

export function organizationsOfUser(sql: Sql, userId: string) {
  return sql<{ id: string; name: string; role: Role; permissions: string[] }[]>`
    select o.id, o.name, m.role,
      array(select distinct unnest(p.permissions) from policy_attachments a join policies p on p.id = a.policy_id
            where a.org_id = m.org_id and a.user_id = m.user_id) as permissions
    from memberships m join organizations o on o.id = m.org_id
    where m.user_id = ${userId} order by o.id`
}

/** A new password ends every sign-in made with the old one. */
export async function setPassword(sql: Sql, userId: string, passwordHash: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${userId}`
    await tx`delete from sessions where user_id = ${userId}`
  })
}

/** The address turns out to be somebody's: a password and sign-ins from before they showed it are worth nothing. */
export async function handOver(sql: Queryable, userId: string): Promise<void> {
  await sql`update users set password_hash = null, email_verified = true, updated_at = now() where id = ${userId}`
  await sql`delete from sessions where user_id = ${userId}`
}

/** Nobody else deals with this address until the transaction ends. */
export async function lockAddress(sql: Queryable, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('address ' || ${email}))`
}
