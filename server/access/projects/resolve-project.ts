import type { Caller } from '../../base/caller.ts'
import { badRequest, forbidden } from '../../base/errors.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { organizationOfProject, projectsOfOrganizations } from './store.ts'

export interface ProjectScope {
  orgId: OrganizationId
  projectId: ProjectId
}

/**
 * The project that an operation without one in its path is about: a key's own; for a user the one
 * they name in `X-Project-Id`, or the only one there is.
 */
export async function resolveProject(
  caller: Caller,
  named: ProjectId | undefined,
  sql: Sql,
): Promise<ProjectScope> {
  const [grant] = caller.grants
  if (grant?.projectId) {
    if (named !== undefined && named !== grant.projectId)
      throw forbidden('the credential is of another project')
    return { orgId: grant.orgId, projectId: grant.projectId }
  }
  const orgIds = caller.grants.map(({ orgId }) => orgId)
  if (named !== undefined) {
    const orgId = await organizationOfProject(sql, named)
    if (!orgId || !orgIds.includes(orgId)) throw forbidden()
    return { orgId, projectId: named }
  }
  const [only, another] = await projectsOfOrganizations(sql, orgIds, 2)
  if (!only) throw forbidden('you have no project')
  if (another) throw badRequest('you have several projects: name one in the header X-Project-Id')
  return { orgId: only.org_id, projectId: only.id }
}

/** The same for a request that has not said more than its headers. */
export function projectOf(
  { caller, headers }: { caller: Caller; headers: { 'x-project-id'?: ProjectId } },
  sql: Sql,
): Promise<ProjectScope> {
  return resolveProject(caller, headers['x-project-id'], sql)
}
