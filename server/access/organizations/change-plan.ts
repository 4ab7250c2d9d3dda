import type { Caller, Plan } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type Organization, setPlan } from './store.ts'

export async function changePlan(caller: Caller, orgId: string, plan: Plan, sql: Sql): Promise<Organization> {
  allowOperator(caller)
  const organization = await setPlan(sql, orgId, plan)
  if (!organization) throw notFound('no such organization')
  return organization
}
