import { allow, type Caller } from '../../base/caller.ts'
import { newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { NewProject, Project } from './schemas.ts'
import { insertProject } from './store.ts'

export async function createProject(
  caller: Caller,
  orgId: string,
  wanted: NewProject,
  sql: Sql,
): Promise<Project> {
  allow(caller, 'projects:write', { orgId })
  return insertProject(sql, {
    id: newId('project'),
    orgId,
    name: wanted.name,
    regions: wanted.regions ?? [],
    videoQuality: wanted.video_quality ?? 'basic',
  })
}
