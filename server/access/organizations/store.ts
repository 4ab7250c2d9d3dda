import type { Plan } from '../../base/caller.ts'
import type { OrganizationId } from '../../base/ids.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'

export interface Organization {
  id: OrganizationId
  name: string
  plan: Plan
  created_at: string
}

const columns = (sql: Queryable) => sql`id, name, organizations.current_plan as plan, created_at`

export async function insertOrganization(
  sql: Queryable,
  organization: { id: OrganizationId; name: string; plan: Plan },
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

export async function organizationName(sql: Queryable, id: OrganizationId): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select name from organizations where id = ${id}`
  return row?.name ?? ''
}

/** By the operator's hand, which the log of changes is told. */
export async function setPlan(tx: Transaction, id: string, plan: Plan): Promise<Organization | undefined> {
  await tx`select set_config('marquee.actor', 'operator', true)`
  const [row] = await tx<Organization[]>`
    update organizations
    set plan = ${plan}, plan_until = null, plan_after = null, plan_unbilled = null, plan_set_at = now(),
      updated_at = now()
    where id = ${id} returning ${columns(tx)}`
  return row
}

export async function planOf(sql: Queryable, id: string): Promise<Plan | undefined> {
  const [row] = await sql<{ plan: Plan }[]>`
    select o.current_plan as plan from organizations o where o.id = ${id}`
  return row?.plan
}

/** A plan, and, where its end is known, when that is and what follows it. */
export interface TimedPlan {
  plan: Plan
  until: string | null
  after: Plan | null
}

export interface HeldOrganization {
  id: OrganizationId
  /** The plan without any subscription. */
  unbilled: Plan
  /** When the operator chose the plan by hand. */
  plan_set_at: string | null
}

/** Nobody else changes their plans until the transaction ends. Answers those that are there. */
export async function lockOrganizations(tx: Transaction, ids: string[]): Promise<HeldOrganization[]> {
  return tx<HeldOrganization[]>`
    select id, coalesce(plan_unbilled, plan) as unbilled, plan_set_at
    from organizations where id = any(${ids}) order by id for no key update`
}

export function setTimedPlans(tx: Transaction, plans: ({ id: OrganizationId } & TimedPlan)[]) {
  return tx`
    update organizations o
    set plan = n.plan, plan_until = n.until, plan_after = n.after, updated_at = now(),
      plan_unbilled = coalesce(o.plan_unbilled, o.plan)
    from jsonb_to_recordset(${tx.json(plans as never)}) as n (id text, plan text, until timestamptz, after text)
    where o.id = n.id and o.id = any(${plans.map(({ id }) => id)})
      and (o.plan, o.plan_until, o.plan_after) is distinct from (n.plan, n.until, n.after)`
}

export async function organizationsWithEndedPlans(sql: Sql, limit: number): Promise<OrganizationId[]> {
  const rows = await sql<{ id: OrganizationId }[]>`
    select id from organizations where plan_until <= now() order by plan_until limit ${limit}`
  return rows.map(({ id }) => id)
}
