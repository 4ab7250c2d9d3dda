import { allowWithin, type Caller, type Plan } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { planOf } from './store.ts'

/** The plan that an organization is on now. */
export async function showPlan(caller: Caller, orgId: string, sql: Sql): Promise<Plan> {
  allowWithin(caller, 'billing:read', orgId)
  const plan = await planOf(sql, orgId)
  if (!plan) throw notFound('no such organization')
  return plan
}
