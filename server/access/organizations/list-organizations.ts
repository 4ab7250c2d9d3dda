import type { Caller } from '../../base/caller.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

export async function listOrganizations(caller: Caller, sql: Sql): Promise<store.Organization[]> {
  allowOperator(caller)
  return store.listOrganizations(sql)
}
