import { allow, type Caller } from '../../base/caller.ts'
import type { Part } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Policy } from './schemas.ts'
import * as store from './store.ts'

export async function listPolicies(caller: Caller, orgId: string, part: Part, sql: Sql): Promise<Policy[]> {
  allow(caller, 'policies:read', { orgId })
  return store.listPolicies(sql, orgId, part)
}
