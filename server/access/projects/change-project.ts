import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
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
  const project = await updateProject(sql, scope.orgId, scope.projectId, change)
  if (!project) throw notFound('no such project')
  return project
}
