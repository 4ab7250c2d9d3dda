import { showPlan } from '../access/index.ts'
import { allowWithin, type Caller } from '../base/caller.ts'
import { badRequest } from '../base/errors.ts'
import { dayStartOf } from '../base/rfc3339.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { PlanTerms } from './show-plans.ts'
import type { UsageHistory, UsageHistoryQuery } from './usage-schemas.ts'
import { sampledTotals, samplesOf, usageOf } from './usage-store.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MOST_DAYS = 400

/** What the projects of an organization used day by day, and use now, beside what the plan allows; to a key, its own. */
export async function showUsageHistory(
  caller: Caller,
  { org_id: orgId, start, end, ...page }: UsageHistoryQuery,
  { sql, storageLimits }: Pick<PlanTerms, 'storageLimits'> & { sql: Sql },
): Promise<UsageHistory> {
  const onlyProject = allowWithin(caller, 'billing:read', orgId)
  const days = { orgId, onlyProject, ...daysOf(start, end) }
  const plan = await showPlan(caller, orgId, sql)
  const { projects, total } = await usageOf(sql, orgId, onlyProject, page)
  const samples = await samplesOf(
    sql,
    days,
    projects.map(({ project_id }) => project_id),
  )
  const byProject = Map.groupBy(samples, ({ project_id }) => project_id)
  return {
    org_id: orgId,
    plan,
    storage_limit: storageLimits[plan],
    totals: await sampledTotals(sql, days),
    projects: projects.map(({ project_id, name, ...now }) => ({
      project_id,
      name,
      now,
      samples: (byProject.get(project_id) ?? []).map(({ project_id: _, ...sample }) => sample),
    })),
    pagination: { ...page, total },
  }
}

/** The last 30 days, today included, unless others are asked for. */
function daysOf(start: string | undefined, end: string | undefined): { start: string; end: string } {
  const last = end === undefined ? Math.floor(Date.now() / DAY_MS) * DAY_MS : dayOf('end', end)
  const first = start === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : dayOf('start', start)
  if (first > last) throw badRequest('query.start: must not be after end')
  if (last - first >= MOST_DAYS * DAY_MS) throw badRequest(`query.start: at most ${MOST_DAYS} days are shown`)
  return { start: dateText(first), end: dateText(last) }
}

/** In milliseconds; years of four digits are no trouble to the database. */
function dayOf(name: string, text: string): number {
  const day = dayStartOf(text) / 1000
  if (!(day >= Date.UTC(1970, 0) && day < Date.UTC(9999, 0)))
    throw badRequest(`query.${name}: must be a date from 1970 on (YYYY-MM-DD)`)
  return day
}

const dateText = (day: number) => new Date(day).toISOString().slice(0, 10)
