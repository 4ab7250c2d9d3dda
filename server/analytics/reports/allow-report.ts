import { findOrganizationOfProject } from '../../access/index.ts'
import { allow, type Caller, OPERATOR, type Scope } from '../../base/caller.ts'
import { badRequest, forbidden } from '../../base/errors.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { EventLog, EventScope } from '../../platform/events/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface AskedScope {
  project_id?: ProjectId
  org_id?: OrganizationId
}

export interface ReportDeps {
  sql: Sql
  events: EventLog
  clock: () => number
  /** Aborted when whoever asked has gone: nobody needs the report any more. */
  signal?: AbortSignal
}

/**
 * The first line of every report: whose events it is about, a key's project or a user's organization; throws 403
 * unless the caller may see them.
 */
export async function allowReport(
  caller: Caller,
  asked: AskedScope,
  { sql }: Pick<ReportDeps, 'sql'>,
): Promise<EventScope> {
  const scope = await named(caller, asked, sql)
  allow(caller, 'analytics:read', scope)
  return { organization: scope.orgId, project: scope.projectId }
}

async function named(caller: Caller, asked: AskedScope, sql: Sql): Promise<Scope> {
  const [own] = caller.grants
  if (!own) throw forbidden('you are in no organization')
  if (own.projectId) {
    if ((asked.project_id ?? own.projectId) !== own.projectId || (asked.org_id ?? own.orgId) !== own.orgId)
      throw forbidden('the credential is of another project')
    return { orgId: own.orgId, projectId: own.projectId }
  }
  const organization = await organizationNamed(caller, asked, sql)
  if (!caller.grants.some(({ orgId }) => orgId === organization)) throw forbidden()
  return { orgId: organization!, projectId: asked.project_id }
}

async function organizationNamed(
  caller: Caller,
  asked: AskedScope,
  sql: Sql,
): Promise<OrganizationId | undefined> {
  if (asked.project_id !== undefined) {
    const orgId = await findOrganizationOfProject(OPERATOR, asked.project_id, sql)
    return asked.org_id === undefined || asked.org_id === orgId ? orgId : undefined
  }
  if (asked.org_id !== undefined) return asked.org_id
  if (caller.grants.length > 1)
    throw badRequest('you are in several organizations: name a project_id or an org_id')
  return caller.grants[0]!.orgId
}
