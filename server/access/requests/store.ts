import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'

/** So many of each organization are kept. */
const KEPT = 500

/** One that failed, to be written down. */
export interface FailedRow {
  org_id: OrganizationId | null
  /** Where the organization is not known: a project that is of it, and what it must be one of. */
  named_project: ProjectId | null
  org_ids: OrganizationId[]
  project_id: ProjectId | null
  at: string
  request_id: string
  method: string
  route: string
  path: string
  status: number
  error: string
  details: string | null
  caller: string
  duration_ms: number
}

export type KeptFailedRow = Omit<FailedRow, 'org_id' | 'named_project' | 'org_ids' | 'project_id'>

/** Writes them down, in this order, and answers whose they are. Those of nobody, or of who is gone, are left out. */
export async function insertFailed(sql: Sql, rows: FailedRow[]): Promise<OrganizationId[]> {
  const placed = rows.map((row, place) => ({ place, ...row }))
  const inserted = await sql<{ org_id: OrganizationId }[]>`
    with inserted as (
      insert into failed_requests (org_id, project_id, at, request_id, method, route, path, status, error, details,
        caller, duration_ms)
      select o.id, f.project_id, f.at, f.request_id, f.method, f.route, f.path, f.status, f.error, f.details,
        f.caller, f.duration_ms
      from jsonb_to_recordset(${sql.json(placed as never)}) as f (place integer, org_id text, named_project text, org_ids text[],
        project_id text, at timestamptz, request_id text, method text, route text, path text, status smallint,
        error text, details text, caller text, duration_ms double precision)
      left join projects p on p.id = f.named_project and p.org_id = any(f.org_ids)
      join organizations o on o.id = coalesce(f.org_id, p.org_id)
      order by f.place
      returning org_id)
    select distinct org_id from inserted`
  return inserted.map(({ org_id }) => org_id)
}

/** Deletes all but the last of these organizations. Others who do the same at the same time are not waited for. */
export async function trimFailed(sql: Sql, orgIds: OrganizationId[]): Promise<void> {
  await sql`
    delete from failed_requests where id in (
      select f.id from unnest(${orgIds}::text[]) as o (id)
      cross join lateral (
        select id from failed_requests where org_id = o.id order by id desc offset ${KEPT}) old
      join failed_requests f on f.id = old.id
      for update of f skip locked)`
}

/** Those of an organization, or of the keys of one project, the latest first. */
export async function listFailed(
  sql: Sql,
  orgId: OrganizationId,
  projectId: ProjectId | undefined,
  page: Page,
): Promise<{ rows: KeptFailedRow[]; total: number }> {
  const kept = sql`
    (select * from failed_requests where org_id = ${orgId}
      and (${projectId ?? null}::text is null or project_id = ${projectId ?? null})
    order by id desc limit ${KEPT}) kept`
  const rows = await sql<KeptFailedRow[]>`
    select at, request_id, method, route, path, status, error, details, caller, duration_ms from ${kept}
    order by at desc, id desc limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`select count(*) as total from ${kept}`
  return { rows, total: count!.total }
}
