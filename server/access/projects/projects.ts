import { allow, allowWithin, type Caller } from '../../base/caller.ts'
import { badRequest, forbidden, notFound } from '../../base/errors.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Due, TrashItem } from '../../base/trash.ts'
import type { Part } from '../../http/pagination.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { audit, changed } from '../audit/audit.ts'
import { type DomainDeps, describeDomain } from './custom-domain.ts'
import type { ProjectScope } from './resolve-project.ts'
import type { NewProject, OwnProject, Project } from './schemas.ts'
import * as store from './store.ts'

export interface NewProjectDeps {
  sql: Sql
  /** The regions that the installation says it has. */
  regions: string[]
  /** Chosen by whoever has to know it before the project is there. */
  id?: ProjectId
}

export async function createProject(
  caller: Caller,
  orgId: OrganizationId,
  wanted: NewProject,
  { sql, regions: offered, id = newId('project') }: NewProjectDeps,
): Promise<Project> {
  allow(caller, 'projects:write', { orgId })
  const regions = wanted.regions ?? []
  const unknown = regions.find((region) => !offered.includes(region))
  if (unknown !== undefined) {
    const those = offered.length > 0 ? `its regions are ${offered.join(', ')}` : 'it names none'
    throw badRequest(`regions: "${unknown}" is not a region of this installation; ${those}`)
  }
  const { name, video_quality: videoQuality = 'basic', default_visibility: defaultVisibility } = wanted
  const after = { name, regions, video_quality: videoQuality, default_visibility: defaultVisibility }
  const project = await sql.begin(async (tx) => {
    await audit(tx, caller, { orgId, projectId: id, action: 'project.created', resource: id, name, after })
    return store.insertProject(tx, { id, orgId, name, regions, videoQuality, defaultVisibility })
  })
  if (regions.length === 0) return project
  const note =
    'regions: kept with the project; they do not choose where its media is, which is where all media of this installation is'
  return { ...project, notes: [note] }
}

export async function listProjects(
  caller: Caller,
  orgId: OrganizationId,
  part: Part,
  sql: Sql,
): Promise<Project[]> {
  const onlyProject = allowWithin(caller, 'projects:read', orgId)
  return store.listProjects(sql, orgId, onlyProject, part)
}

export interface OwnProjectsDeps extends Pick<DeleteProjectDeps, 'sql' | 'trashSeconds'> {
  /** Of images that may be had without a signature; undefined where any size may. */
  unsignedWidths: readonly number[] | undefined
}

/**
 * By name, for everybody who may do anything in them: a permission holds in all projects of an organization, and whoever
 * may read videos has to know where they are. What a project is set to is for `projects:read`.
 */
export async function listOwnProjects(
  caller: Caller,
  part: Part,
  { sql, trashSeconds, unsignedWidths }: OwnProjectsDeps,
): Promise<OwnProject[]> {
  if (caller.kind !== 'user') throw forbidden('the token is of an API key, not of a user')
  const orgIds = caller.grants.filter(({ permissions }) => permissions !== 0n).map(({ orgId }) => orgId)
  const projects = await store.namesOfProjects(sql, orgIds, part)
  const installation = {
    trash_lifetime: trashSeconds,
    ...(unsignedWidths && { unsigned_widths: [...unsignedWidths] }),
  }
  return projects.map((project) => ({ ...project, ...installation }))
}

export async function showProject(
  caller: Caller,
  scope: ProjectScope,
  deps: Pick<DomainDeps, 'sql' | 'domainSecret' | 'cdnUrl'>,
): Promise<Project> {
  allow(caller, 'projects:read', scope)
  const project = await store.findProject(deps.sql, scope.orgId, scope.projectId)
  if (!project) throw notFound('no such project')
  return describeDomain(project, deps)
}

export async function changeProject(
  caller: Caller,
  scope: ProjectScope,
  change: store.ProjectChange,
  sql: Sql,
): Promise<Project> {
  allow(caller, 'projects:write', scope)
  return sql.begin(async (tx) => {
    const before = await store.findProject(tx, scope.orgId, scope.projectId)
    const project = await store.updateProject(tx, scope.orgId, scope.projectId, change)
    if (!before || !project) throw notFound('no such project')
    const about = { ...scope, resource: project.id, name: project.name, ...changed(before, change) }
    await audit(tx, caller, { ...about, action: 'project.changed' })
    return project
  })
}

export interface PurgeProjectDeps {
  sql: Sql
  /** Has removed, from the same transaction on, what is kept of a project outside of the database. */
  onPurge(tx: Transaction, scope: ProjectScope): Promise<void>
}

export interface DeleteProjectDeps extends PurgeProjectDeps {
  /** Seconds for which it can be brought back. */
  trashSeconds: number
}

/** `confirm` repeats the project's name or id: everything in it goes, so a slip of the hand must not do. */
export async function deleteProject(
  caller: Caller,
  scope: ProjectScope,
  confirm: string | undefined,
  deps: DeleteProjectDeps,
): Promise<void> {
  allow(caller, 'projects:delete', scope)
  // A key is in the hands of programs, and of whoever they lose it to.
  if (caller.kind === 'secret_key') throw forbidden("a project's own key cannot delete it: sign in as a user")
  const { sql } = deps
  const project = await store.findProject(sql, scope.orgId, scope.projectId)
  if (!project) throw notFound('no such project')
  if (confirm !== project.id && confirm !== project.name)
    throw badRequest(`confirm: repeat the project's name or its id, ?confirm=${project.id}`)
  await sql.begin(async (tx) => {
    if (!(await store.trashProject(tx, scope.orgId, project.id))) throw notFound('no such project')
    await audit(tx, caller, { ...scope, action: 'project.deleted', resource: project.id, name: project.name })
  })
  if (deps.trashSeconds === 0) await purgeProjects(deps, { seconds: 0, only: project.id })
}

export async function listTrashedProjects(caller: Caller, sql: Sql): Promise<TrashItem[]> {
  allowOperator(caller)
  return store.listTrashed(sql)
}

/** A project with its keys and everything that was in it, but for a domain that another has proved meanwhile. */
export async function restoreProject(caller: Caller, projectId: ProjectId, sql: Sql): Promise<void> {
  allowOperator(caller)
  if (!(await store.restoreTrashed(sql, projectId))) throw notFound(`there is no ${projectId} in the trash`)
}

/** Projects whose time in the trash is over go with everything in them. */
export async function purgeProjects({ sql, onPurge }: PurgeProjectDeps, due: Due): Promise<number> {
  const { count } = await sql.begin(async (tx) => {
    const purged = await store.purgeTrashed(tx, due)
    for (const { id, org_id } of purged) await onPurge(tx, { orgId: org_id, projectId: id })
    return { count: purged.length }
  })
  return count
}

export async function findOrganizationOfProject(
  caller: Caller,
  projectId: ProjectId,
  sql: Sql,
): Promise<OrganizationId | undefined> {
  allowOperator(caller)
  return store.organizationOfProject(sql, projectId)
}
