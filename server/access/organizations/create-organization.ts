import type { Caller, Plan } from '../../base/caller.ts'
import { newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { insertOrganization, type Organization } from './store.ts'

export async function createOrganization(
  caller: Caller,
  wanted: { name: string; plan: Plan },
  sql: Sql,
): Promise<Organization> {
  allowOperator(caller)
  return insertOrganization(sql, { id: newId('organization'), ...wanted })
}
