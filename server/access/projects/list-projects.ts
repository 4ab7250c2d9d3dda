import { allowWithin, type Caller } from '../../base/caller.ts'
import type { Part } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Project } from './schemas.ts'
import * as store from './store.ts'

export async function listProjects(caller: Caller, orgId: string, part: Part, sql: Sql): Promise<Project[]> {
  const onlyProject = allowWithin(caller, 'projects:read', orgId)
  return store.listProjects(sql, orgId, onlyProject, part)
}
