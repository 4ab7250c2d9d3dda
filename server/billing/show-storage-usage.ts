import { listStorage, showPlan } from '../access/index.ts'
import { allowWithin, type Caller } from '../base/caller.ts'
import type { OrganizationId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { StorageUsage } from './schemas.ts'
import type { PlanTerms } from './show-plans.ts'

export async function showStorageUsage(
  caller: Caller,
  orgId: OrganizationId,
  { sql, storageLimits }: Pick<PlanTerms, 'storageLimits'> & { sql: Sql },
): Promise<StorageUsage> {
  allowWithin(caller, 'billing:read', orgId)
  const plan = await showPlan(caller, orgId, sql)
  const projects = await listStorage(caller, orgId, sql)
  return {
    org_id: orgId,
    plan,
    storage_used: projects.reduce((sum, { storage_used }) => sum + storage_used, 0),
    projects: projects.map((project) => ({ ...project, storage_limit: storageLimits[plan] })),
  }
}
