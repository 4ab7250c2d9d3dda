import type { Plan } from '../base/caller.ts'
import type { OrganizationId, ProjectId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Queryable, Sql } from '../platform/postgres/client.ts'

/** What a project keeps: bytes of all its objects, and media as lists of it count. */
export interface Usage {
  storage_used: number
  videos: number
  images: number
}

export interface UsageSample extends Usage {
  project_id: ProjectId
  /** `YYYY-MM-DD`, in UTC. */
  date: string
  plan: Plan
  storage_limit: number
}

const today = (sql: Queryable) => sql`(now() at time zone 'UTC')::date`

/** Columns of what is used now, for a row `p` of projects. */
const usage = (sql: Queryable) => sql`
  p.storage_used,
  (select count(*) from videos v
    where v.project_id = p.id and v.duration is not null and v.deleted_at is null) as videos,
  (select count(*) from images i
    where i.project_id = p.id and i.width is not null and i.deleted_at is null and i.poster_of is null) as images`

export async function hasSamplesOfToday(sql: Sql): Promise<boolean> {
  const rows = await sql`select from usage_samples where day = ${today(sql)} limit 1`
  return rows.length > 0
}

export async function insertSamples(sql: Sql, limits: Record<Plan, number>): Promise<void> {
  await sql`
    insert into usage_samples (day, project_id, org_id, plan, storage_limit, storage_used, videos, images)
    select ${today(sql)}, p.id, p.org_id, o.current_plan, (${sql.json(limits as never)}::jsonb ->> o.current_plan)::bigint,
      ${usage(sql)}
    from projects p join organizations o on o.id = p.org_id where p.deleted_at is null
    on conflict do nothing`
}

export async function forgetSamples(sql: Sql, days: number): Promise<void> {
  await sql`delete from usage_samples where day < ${today(sql)} - ${days}::integer`
}

export interface SampledDays {
  orgId: OrganizationId
  /** The one project that the caller is confined to. */
  onlyProject: ProjectId | undefined
  start: string
  end: string
}

const among = (sql: Sql, { orgId, onlyProject, start, end }: SampledDays) => sql`
  org_id = ${orgId} and (${onlyProject ?? null}::text is null or project_id = ${onlyProject ?? null})
  and day between ${start}::date and ${end}::date`

/** All projects of each day together, those that are gone included. */
export function sampledTotals(sql: Sql, days: SampledDays): Promise<(Usage & { date: string })[]> {
  return sql<(Usage & { date: string })[]>`
    select to_char(day, 'YYYY-MM-DD') as date, sum(storage_used)::bigint as storage_used, sum(videos)::bigint as videos,
      sum(images)::bigint as images
    from usage_samples where ${among(sql, days)} group by day order by day`
}

export function samplesOf(sql: Sql, days: SampledDays, projectIds: ProjectId[]): Promise<UsageSample[]> {
  return sql<UsageSample[]>`
    select project_id, to_char(day, 'YYYY-MM-DD') as date, plan, storage_limit, storage_used, videos, images
    from usage_samples where ${among(sql, days)} and project_id = any(${projectIds}) order by day`
}

export type ProjectUsage = Usage & { project_id: ProjectId; name: string }

/** What the projects use now. */
export async function usageOf(
  sql: Sql,
  orgId: OrganizationId,
  onlyProject: ProjectId | undefined,
  page: Page,
): Promise<{ projects: ProjectUsage[]; total: number }> {
  const these = sql`
    p.org_id = ${orgId} and p.deleted_at is null
    and (${onlyProject ?? null}::text is null or p.id = ${onlyProject ?? null})`
  const projects = await sql<ProjectUsage[]>`
    select p.id as project_id, p.name, ${usage(sql)} from projects p where ${these}
    order by p.id limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`select count(*) as total from projects p where ${these}`
  return { projects, total: count!.total }
}
