import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { ProjectScope } from './resolve-project.ts'
import * as store from './store.ts'

export async function deleteProject(caller: Caller, scope: ProjectScope, sql: Sql): Promise<void> {
  allow(caller, 'projects:delete', scope)
  const deleted = await store.deleteProject(sql, scope.orgId, scope.projectId)
  if (!deleted) throw notFound('no such project')
}
