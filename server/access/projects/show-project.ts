import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { type DomainDeps, describeDomain } from './custom-domain.ts'
import type { ProjectScope } from './resolve-project.ts'
import type { Project } from './schemas.ts'
import { findProject } from './store.ts'

export async function showProject(
  caller: Caller,
  scope: ProjectScope,
  deps: Pick<DomainDeps, 'sql' | 'domainSecret' | 'cdnUrl'>,
): Promise<Project> {
  allow(caller, 'projects:read', scope)
  const project = await findProject(deps.sql, scope.orgId, scope.projectId)
  if (!project) throw notFound('no such project')
  return describeDomain(project, deps)
}
