import { findOrganizationOfProject, type ProjectScope, resolveProject } from '../../access/index.ts'
import { allow, type Caller, OPERATOR } from '../../base/caller.ts'
import { forbidden } from '../../base/errors.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface EventProjectDeps {
  sql: Sql
  organizationOf: (projectId: ProjectId) => Promise<OrganizationId | undefined>
}

/**
 * The project that events belong to: the one they name, of the caller's own organization; else a key's own, or the
 * only one that there is. A key may name another than its own: it gives events away, and gets nothing for it.
 */
export async function projectOfEvents(
  caller: Caller,
  named: ProjectId | undefined,
  { sql, organizationOf }: EventProjectDeps,
): Promise<ProjectScope> {
  const [own] = caller.grants
  if (own?.projectId && (named === undefined || named === own.projectId))
    return allowed(caller, { orgId: own.orgId, projectId: own.projectId })
  if (named === undefined) return allowed(caller, await resolveProject(caller, undefined, sql))
  const orgId = await organizationOf(named)
  const grant = caller.grants.find((candidate) => candidate.orgId === orgId)
  if (!orgId || !grant) throw forbidden('project_id: not a project of your organization')
  allow(caller, 'events:write', { orgId, projectId: grant.projectId ?? named })
  return { orgId, projectId: named }
}

function allowed(caller: Caller, scope: ProjectScope): ProjectScope {
  allow(caller, 'events:write', scope)
  return scope
}

const REMEMBERED_MS = 5000
const MOST_REMEMBERED = 10_000

/** Which organization a project is of never changes; only that it is there at all is asked again after a while. */
export function rememberOrganizations(sql: Sql, clock: () => number): EventProjectDeps['organizationOf'] {
  const known = new Map<string, { orgId: OrganizationId; until: number }>()
  return async (projectId) => {
    const found = known.get(projectId)
    if (found && found.until > clock()) return found.orgId
    const orgId = await findOrganizationOfProject(OPERATOR, projectId, sql)
    if (known.size >= MOST_REMEMBERED) known.clear()
    if (orgId) known.set(projectId, { orgId, until: clock() + REMEMBERED_MS })
    else known.delete(projectId)
    return orgId
  }
}
