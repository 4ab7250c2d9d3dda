import type { Plan } from '../../base/caller.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'

export interface Organization {
  id: string
  name: string
  plan: Plan
  created_at: string
}

const columns = (sql: Queryable) => sql`id, name, plan, created_at`

export async function insertOrganization(
  sql: Queryable,
  organization: { id: string; name: string; plan: Plan },
): Promise<Organization> {
  const [row] = await sql<Organization[]>`
    insert into organizations ${sql(organization)} returning ${columns(sql)}`
  return row!
}

export function listOrganizations(sql: Sql): Promise<Organization[]> {
  return sql<Organization[]>`select ${columns(sql)} from organizations order by id`
}

export async function organizationExists(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql`select from organizations where id = ${id}`
  return rows.length > 0
}

export async function setPlan(sql: Sql, id: string, plan: Plan): Promise<Organization | undefined> {
  const [row] = await sql<Organization[]>`
    update organizations set plan = ${plan}, updated_at = now() where id = ${id} returning ${columns(sql)}`
  return row
}
