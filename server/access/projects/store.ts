import type { Plan } from '../../base/caller.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Visibility } from '../../base/media.ts'
import type { Due, TrashItem } from '../../base/trash.ts'
import type { Part } from '../../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import type { NamedProject, Project } from './schemas.ts'

const columns = (sql: Queryable) => sql`
  id, name, org_id, coalesce(custom_domain, '') as custom_domain,
  case when custom_domain is null then null when custom_domain_verified_at is null then 'pending' else 'verified' end
    as custom_domain_status,
  regions, video_quality, default_visibility, created_at, updated_at`

interface Row extends Omit<Project, 'custom_domain_status' | 'default_visibility'> {
  custom_domain_status: 'pending' | 'verified' | null
  default_visibility: Visibility | null
}

/** A project without a domain says nothing about one; nor one where nobody has said what new media begins with. */
function projectOf({ custom_domain_status, default_visibility, ...row }: Row): Project {
  return {
    ...row,
    ...(custom_domain_status && { custom_domain_status }),
    ...(default_visibility && { default_visibility }),
  }
}

export async function insertProject(
  sql: Queryable,
  project: {
    id: ProjectId
    orgId: OrganizationId
    name: string
    regions: string[]
    videoQuality: string
    defaultVisibility?: Visibility
  },
): Promise<Project> {
  const [row] = await sql<Row[]>`
    insert into projects (id, org_id, name, regions, video_quality, default_visibility)
    values (${project.id}, ${project.orgId}, ${project.name}, ${project.regions}, ${project.videoQuality},
      ${project.defaultVisibility ?? null})
    returning ${columns(sql)}`
  return projectOf(row!)
}

export async function findProject(
  sql: Queryable,
  orgId: OrganizationId,
  projectId: ProjectId,
): Promise<Project | undefined> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from projects
    where id = ${projectId} and org_id = ${orgId} and deleted_at is null`
  return row && projectOf(row)
}

export async function projectExists(
  sql: Queryable,
  orgId: OrganizationId,
  projectId: ProjectId,
): Promise<boolean> {
  const rows = await sql`
    select from projects where id = ${projectId} and org_id = ${orgId} and deleted_at is null`
  return rows.length > 0
}

/** All projects of an organization, or the one among them that the caller is confined to. */
export async function listProjects(
  sql: Sql,
  orgId: OrganizationId,
  onlyProject: string | undefined,
  { limit, offset = 0 }: Part,
): Promise<Project[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from projects
    where org_id = ${orgId} and deleted_at is null
      and (${onlyProject ?? null}::text is null or id = ${onlyProject ?? null})
    order by id limit ${limit ?? null} offset ${offset}`
  return rows.map(projectOf)
}

export function namesOfProjects(
  sql: Sql,
  orgIds: OrganizationId[],
  { limit, offset = 0 }: Part,
): Promise<NamedProject[]> {
  return sql<NamedProject[]>`
    select id, name, org_id, created_at from projects
    where org_id = any(${orgIds}) and deleted_at is null
    order by id limit ${limit ?? null} offset ${offset}`
}

export async function projectUsage(sql: Sql, projectId: ProjectId) {
  const [row] = await sql<
    { id: ProjectId; name: string; created_at: string; storage_used: number; plan: Plan }[]
  >`
    select p.id, p.name, p.created_at, p.storage_used, o.current_plan as plan
    from projects p join organizations o on o.id = p.org_id where p.id = ${projectId} and p.deleted_at is null`
  return row
}

/** Of all projects of an organization, or of the one among them that the caller is confined to. */
export function storageOfProjects(sql: Sql, orgId: OrganizationId, onlyProject: string | undefined) {
  return sql<{ project_id: ProjectId; name: string; storage_used: number }[]>`
    select id as project_id, name, storage_used from projects
    where org_id = ${orgId} and deleted_at is null
      and (${onlyProject ?? null}::text is null or id = ${onlyProject ?? null})
    order by id`
}

/** What new media of a project gets where nothing else is asked for. */
export async function mediaDefaults(sql: Queryable, projectId: ProjectId) {
  const [row] = await sql<{ plan: Plan; video_quality: string }[]>`
    select o.current_plan as plan, p.video_quality from projects p join organizations o on o.id = p.org_id
    where p.id = ${projectId} and p.deleted_at is null`
  return row
}

/** Where each of these projects belongs; for callers who may act in whole organizations. */
export function projectsOfOrganizations(sql: Sql, orgIds: OrganizationId[], limit: number) {
  return sql<{ id: ProjectId; org_id: OrganizationId }[]>`
    select id, org_id from projects where org_id = any(${orgIds}) and deleted_at is null order by id limit ${limit}`
}

export async function organizationOfProject(
  sql: Queryable,
  projectId: ProjectId,
): Promise<OrganizationId | undefined> {
  const [row] = await sql<{ org_id: OrganizationId }[]>`
    select org_id from projects where id = ${projectId} and deleted_at is null`
  return row?.org_id
}

export interface ProjectChange {
  name?: string
  default_visibility?: Visibility
  video_quality?: string
}

export async function updateProject(
  sql: Queryable,
  orgId: OrganizationId,
  projectId: ProjectId,
  change: ProjectChange,
) {
  const [row] = await sql<Row[]>`
    update projects set ${sql({ ...change, updated_at: sql`now()` } as never)}
    where id = ${projectId} and org_id = ${orgId} and deleted_at is null
    returning ${columns(sql)}`
  return row && projectOf(row)
}

/** Those that projects have proved to be theirs. */
export function listDomains(sql: Sql) {
  return sql<{ id: ProjectId; custom_domain: string }[]>`
    select id, custom_domain from projects
    where custom_domain_verified_at is not null and deleted_at is null order by custom_domain`
}

export async function isDomainProvedElsewhere(
  sql: Sql,
  domain: string,
  projectId: ProjectId,
): Promise<boolean> {
  const rows = await sql`
    select from projects
    where custom_domain = ${domain} and custom_domain_verified_at is not null and deleted_at is null
      and id <> ${projectId}`
  return rows.length > 0
}

/** Takes a domain from all projects but one, and answers those as they were. */
export async function takeDomain(tx: Transaction, domain: string, projectId: ProjectId): Promise<Project[]> {
  const rows = await tx<Row[]>`
    select ${columns(tx)} from projects where custom_domain = ${domain} and id <> ${projectId} order by id for update`
  await tx`
    update projects set custom_domain = null, custom_domain_verified_at = null, updated_at = now()
    where custom_domain = ${domain} and id <> ${projectId}`
  return rows.map(projectOf)
}

export async function claimDomain(
  tx: Transaction,
  { orgId, projectId }: { orgId: OrganizationId; projectId: ProjectId },
  domain: string,
  isProved: boolean,
): Promise<Project | undefined> {
  const [row] = await tx<Row[]>`
    update projects
    set custom_domain = ${domain}, custom_domain_verified_at = case when ${isProved} then now() end, updated_at = now()
    where id = ${projectId} and org_id = ${orgId} and deleted_at is null returning ${columns(tx)}`
  return row && projectOf(row)
}

export async function dropDomain(
  sql: Queryable,
  orgId: OrganizationId,
  projectId: ProjectId,
): Promise<Project | undefined> {
  const [row] = await sql<Row[]>`
    update projects set custom_domain = null, custom_domain_verified_at = null, updated_at = now()
    where id = ${projectId} and org_id = ${orgId} and deleted_at is null returning ${columns(sql)}`
  return row && projectOf(row)
}

/** Into the trash, with everything in it. False where it is unknown. */
export async function trashProject(
  sql: Queryable,
  orgId: OrganizationId,
  projectId: ProjectId,
): Promise<boolean> {
  const [row] = await sql<{ trashed: boolean }[]>`
    select trash_project(id) as trashed from projects
    where id = ${projectId} and org_id = ${orgId} and deleted_at is null`
  return row?.trashed ?? false
}

export function listTrashed(sql: Sql): Promise<TrashItem[]> {
  return sql<TrashItem[]>`
    select id, 'project' as kind, name, id as project_id, deleted_at, storage_used as bytes from projects
    where deleted_at is not null`
}

export async function restoreTrashed(sql: Sql, projectId: ProjectId): Promise<boolean> {
  const [row] = await sql<{ restored: boolean }[]>`select restore_project(${projectId}) as restored`
  return row!.restored
}

/** Deletes projects that have been in the trash for so long, and answers which. */
export function purgeTrashed(
  tx: Transaction,
  { seconds, only }: Due,
): Promise<{ id: ProjectId; org_id: OrganizationId }[]> {
  return tx<{ id: ProjectId; org_id: OrganizationId }[]>`
    delete from projects where deleted_at <= now() - make_interval(secs => ${seconds})
      and (${only ?? null}::text is null or id = ${only ?? null})
    returning id, org_id`
}
