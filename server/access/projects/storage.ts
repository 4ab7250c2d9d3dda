import { allow, allowWithin, type Caller, type Plan } from '../../base/caller.ts'
import { conflict, notFound, Refusal } from '../../base/errors.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { resolveProject } from './resolve-project.ts'
import type { ProjectInfo } from './schemas.ts'
import { projectUsage, storageOfProjects } from './store.ts'

export type StorageLimits = Record<Plan, number>

export async function showCurrentProject(
  caller: Caller,
  named: ProjectId | undefined,
  { sql, storageLimits }: { sql: Sql; storageLimits: StorageLimits },
): Promise<ProjectInfo> {
  const scope = await resolveProject(caller, named, sql)
  allow(caller, 'projects:read', scope)
  const usage = await projectUsage(sql, scope.projectId)
  if (!usage) throw notFound()
  const { plan, ...info } = usage
  return { ...info, storage_limit: storageLimits[plan] }
}

/** How much each project of an organization keeps; of a key's, its own. */
export async function listStorage(caller: Caller, orgId: OrganizationId, sql: Sql) {
  const onlyProject = allowWithin(caller, 'billing:read', orgId)
  return storageOfProjects(sql, orgId, onlyProject)
}

export interface StorageDeps {
  sql: Sql
  storageLimits: StorageLimits
}

/** Throws 403 where a project has used up what its plan allows. */
export async function requireStorage(
  projectId: ProjectId,
  { sql, storageLimits }: StorageDeps,
): Promise<void> {
  const usage = await projectUsage(sql, projectId)
  if (usage && usage.storage_used >= storageLimits[usage.plan])
    throw new Refusal(403, { title: 'Storage limit reached' })
}

/** Throws 409 or 403 where something cannot come back into a project: it is in the trash itself, or full. */
export async function requireRoomFor(
  { projectId, bytes }: { projectId: ProjectId; bytes: number },
  { sql, storageLimits }: StorageDeps,
): Promise<void> {
  const usage = await projectUsage(sql, projectId)
  if (!usage) throw conflict(`its project ${projectId} is in the trash: restore that first`)
  const limit = storageLimits[usage.plan]
  if (bytes > 0 && usage.storage_used + bytes > limit)
    throw new Refusal(403, {
      title: 'Storage limit reached',
      details: `it takes ${bytes} bytes, and its project uses ${usage.storage_used} of ${limit}: delete something, or move the organization to another plan`,
    })
}
