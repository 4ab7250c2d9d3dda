import { allowWithin, type Caller, type Plan } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { OrganizationId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

export async function createOrganization(
  caller: Caller,
  wanted: { name: string; plan: Plan },
  sql: Sql,
): Promise<store.Organization> {
  allowOperator(caller)
  return store.insertOrganization(sql, { id: newId('organization'), ...wanted })
}

export async function listOrganizations(caller: Caller, sql: Sql): Promise<store.Organization[]> {
  allowOperator(caller)
  return store.listOrganizations(sql)
}

/** The plan that an organization is on now. */
export async function showPlan(caller: Caller, orgId: OrganizationId, sql: Sql): Promise<Plan> {
  allowWithin(caller, 'billing:read', orgId)
  const plan = await store.planOf(sql, orgId)
  if (!plan) throw notFound('no such organization')
  return plan
}

export async function changePlan(
  caller: Caller,
  orgId: OrganizationId,
  plan: Plan,
  sql: Sql,
): Promise<store.Organization> {
  allowOperator(caller)
  const organization = await sql.begin((tx) => store.setPlan(tx, orgId, plan))
  if (!organization) throw notFound('no such organization')
  return organization
}
