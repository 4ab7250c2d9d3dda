import type { Caller } from '../../base/caller.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { organizationOfKey } from './store.ts'

export async function findKeyById(
  caller: Caller,
  keyId: string,
  sql: Sql,
): Promise<{ org_id: string } | undefined> {
  allowOperator(caller)
  return organizationOfKey(sql, keyId)
}
