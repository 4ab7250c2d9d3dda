import { allow, type Caller } from '../../base/caller.ts'
import { badRequest } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { NewProject, Project } from './schemas.ts'
import { insertProject } from './store.ts'

export interface NewProjectDeps {
  sql: Sql
  /** The regions that the installation says it has. */
  regions: string[]
}

export async function createProject(
  caller: Caller,
  orgId: string,
  wanted: NewProject,
  { sql, regions: offered }: NewProjectDeps,
): Promise<Project> {
  allow(caller, 'projects:write', { orgId })
  const regions = wanted.regions ?? []
  const unknown = regions.find((region) => !offered.includes(region))
  if (unknown !== undefined) {
    const those = offered.length > 0 ? `its regions are ${offered.join(', ')}` : 'it names none'
    throw badRequest(`regions: "${unknown}" is not a region of this installation; ${those}`)
  }
  const project = await insertProject(sql, {
    id: newId('project'),
    orgId,
    name: wanted.name,
    regions,
    videoQuality: wanted.video_quality ?? 'basic',
  })
  if (regions.length === 0) return project
  const note =
    'regions: kept with the project; they do not choose where its media is, which is where all media of this installation is'
  return { ...project, notes: [note] }
}
