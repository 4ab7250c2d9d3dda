import { allow, type Caller, type Plan } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { resolveProject } from './resolve-project.ts'
import type { ProjectInfo } from './schemas.ts'
import { projectUsage } from './store.ts'

export type StorageLimits = Record<Plan, number>

export async function showCurrentProject(
  caller: Caller,
  named: string | undefined,
  { sql, storageLimits }: { sql: Sql; storageLimits: StorageLimits },
): Promise<ProjectInfo> {
  const scope = await resolveProject(caller, named, sql)
  allow(caller, 'projects:read', scope)
  const usage = await projectUsage(sql, scope.projectId)
  if (!usage) throw notFound()
  const { plan, ...info } = usage
  return { ...info, storage_limit: storageLimits[plan] }
}
