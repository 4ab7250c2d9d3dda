import { allow, allowGranting, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { parsePermissions, permissionSet } from '../../base/permissions.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { refuseTakenName } from './names.ts'
import type { Policy, PolicyChange } from './schemas.ts'
import { lockPolicy, updatePolicy as storePolicy } from './store.ts'

export async function updatePolicy(
  caller: Caller,
  { orgId, policyId }: { orgId: string; policyId: string },
  change: PolicyChange,
  sql: Sql,
): Promise<Policy> {
  allow(caller, 'policies:write', { orgId })
  const wanted = change.permissions && parsePermissions(change.permissions)

  return sql
    .begin(async (tx) => {
      const policy = await lockPolicy(tx, orgId, policyId)
      if (!policy) throw notFound('no such policy')
      // Keeping or dropping what is there grants nothing; only what is new has to be the caller's own.
      if (wanted !== undefined) allowGranting(caller, wanted & ~permissionSet(policy.permissions), { orgId })
      return storePolicy(tx, policyId, {
        name: change.name ?? policy.name,
        description: change.description ?? policy.description,
        permissions: change.permissions ?? policy.permissions,
      })
    })
    .catch(refuseTakenName)
}
