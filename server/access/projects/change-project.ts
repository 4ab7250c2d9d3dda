import { allow, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { isUniqueViolation, type Sql } from '../../platform/postgres/client.ts'
import type { ProjectScope } from './resolve-project.ts'
import type { Project } from './schemas.ts'
import { type ProjectChange, updateProject } from './store.ts'

export async function changeProject(
  caller: Caller,
  scope: ProjectScope,
  change: ProjectChange,
  sql: Sql,
): Promise<Project> {
  allow(caller, 'projects:write', scope)
  const wanted = {
    ...change,
    ...(change.custom_domain && { custom_domain: change.custom_domain.toLowerCase() }),
  }
  const project = await updateProject(sql, scope.orgId, scope.projectId, wanted).catch((error) => {
    if (isUniqueViolation(error)) throw conflict('this domain is in use')
    throw error
  })
  if (!project) throw notFound('no such project')
  return project
}
