import { allow, allowGranting, type Caller } from '../../base/caller.ts'
import { newId } from '../../base/ids.ts'
import { parsePermissions } from '../../base/permissions.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { refuseTakenName } from './names.ts'
import type { NewPolicy, Policy } from './schemas.ts'
import { insertPolicy } from './store.ts'

export async function createPolicy(
  caller: Caller,
  orgId: string,
  wanted: NewPolicy,
  sql: Sql,
): Promise<Policy> {
  allow(caller, 'policies:write', { orgId })
  allowGranting(caller, parsePermissions(wanted.permissions), { orgId })
  return insertPolicy(sql, {
    id: newId('policy'),
    org_id: orgId,
    name: wanted.name,
    description: wanted.description ?? '',
    permissions: wanted.permissions,
    created_by: caller.id,
  }).catch(refuseTakenName)
}
