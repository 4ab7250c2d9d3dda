import type { Caller } from '../../base/caller.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

export async function listUsers(caller: Caller, sql: Sql) {
  allowOperator(caller)
  return store.listUsers(sql)
}
