import type { Plan } from '../../base/caller.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import type { Project } from './schemas.ts'

const columns = (sql: Queryable) => sql`
  id, name, org_id, coalesce(custom_domain, '') as custom_domain, regions, video_quality, created_at, updated_at`

export async function insertProject(
  sql: Queryable,
  project: { id: string; orgId: string; name: string; regions: string[]; videoQuality: string },
): Promise<Project> {
  const [row] = await sql<Project[]>`
    insert into projects (id, org_id, name, regions, video_quality)
    values (${project.id}, ${project.orgId}, ${project.name}, ${project.regions}, ${project.videoQuality})
    returning ${columns(sql)}`
  return row!
}

export async function findProject(
  sql: Queryable,
  orgId: string,
  projectId: string,
): Promise<Project | undefined> {
  const [row] = await sql<Project[]>`
    select ${columns(sql)} from projects where id = ${projectId} and org_id = ${orgId}`
  return row
}

export async function projectExists(sql: Queryable, orgId: string, projectId: string): Promise<boolean> {
  const rows = await sql`select from projects where id = ${projectId} and org_id = ${orgId}`
  return rows.length > 0
}

/** All projects of an organization, or the one among them that the caller is confined to. */
export function listProjects(sql: Sql, orgId: string, onlyProject: string | undefined): Promise<Project[]> {
  return sql<Project[]>`
    select ${columns(sql)} from projects
    where org_id = ${orgId} and (${onlyProject ?? null}::text is null or id = ${onlyProject ?? null})
    order by id`
}

export async function projectUsage(sql: Sql, projectId: string) {
  const [row] = await sql<
    { id: string; name: string; created_at: string; storage_used: number; plan: Plan }[]
  >`
    select p.id, p.name, p.created_at, p.storage_used, o.current_plan as plan
    from projects p join organizations o on o.id = p.org_id where p.id = ${projectId}`
  return row
}

/** Of all projects of an organization, or of the one among them that the caller is confined to. */
export function storageOfProjects(sql: Sql, orgId: string, onlyProject: string | undefined) {
  return sql<{ project_id: string; name: string; storage_used: number }[]>`
    select id as project_id, name, storage_used from projects
    where org_id = ${orgId} and (${onlyProject ?? null}::text is null or id = ${onlyProject ?? null})
    order by id`
}

/** What new media of a project gets where nothing else is asked for. */
export async function mediaDefaults(sql: Queryable, projectId: string) {
  const [row] = await sql<{ plan: Plan; video_quality: string }[]>`
    select o.current_plan as plan, p.video_quality from projects p join organizations o on o.id = p.org_id where p.id = ${projectId}`
  return row
}

/** Where each of these projects belongs; for callers who may act in whole organizations. */
export function projectsOfOrganizations(sql: Sql, orgIds: string[], limit: number) {
  return sql<{ id: string; org_id: string }[]>`
    select id, org_id from projects where org_id = any(${orgIds}) order by id limit ${limit}`
}

export async function organizationOfProject(sql: Queryable, projectId: string): Promise<string | undefined> {
  const [row] = await sql<{ org_id: string }[]>`select org_id from projects where id = ${projectId}`
  return row?.org_id
}

export interface ProjectChange {
  name?: string
  video_quality?: string
  custom_domain?: string | null
}

export async function updateProject(sql: Sql, orgId: string, projectId: string, change: ProjectChange) {
  const [row] = await sql<Project[]>`
    update projects set ${sql({ ...change, updated_at: sql`now()` } as never)}
    where id = ${projectId} and org_id = ${orgId}
    returning ${columns(sql)}`
  return row
}

export async function deleteProject(sql: Sql, orgId: string, projectId: string): Promise<boolean> {
  const deleted = await sql`delete from projects where id = ${projectId} and org_id = ${orgId}`
  return deleted.count > 0
}
