import { type Static, Type } from 'typebox'
import { exampleId } from '../base/ids.ts'
import { pageProperties } from '../http/pagination.ts'
import { exampleOf, Id, named, Pagination, ref } from '../http/schemas.ts'
import { PlanName } from './schemas.ts'

const Day = Type.Optional(
  Type.String({
    maxLength: 10,
    description: '`YYYY-MM-DD`, in UTC, inclusive. Without any: the last 30 days; at most 400.',
  }),
)

const Query = Type.Object({ org_id: Id('organization'), start: Day, end: Day, ...pageProperties })
export type UsageHistoryQuery = Pick<Static<typeof Query>, 'org_id' | 'start' | 'end'> & {
  limit: number
  offset: number
}
/** Defaults are filled in before a handler sees it. */
export const UsageHistoryQuery = Type.Unsafe<UsageHistoryQuery>(Query)

const usage = {
  storage_used: Type.Integer({ description: 'bytes' }),
  videos: Type.Integer(),
  images: Type.Integer({ description: 'without posters' }),
}
const EXAMPLE = { storage_used: 52428800, videos: 12, images: 30 }
const date = Type.String({ format: 'date' })

const UsageNow = named('UsageNow', Type.Object(usage), EXAMPLE)

const UsageTotal = named('UsageTotal', Type.Object({ date, ...usage }), { date: '2026-05-04', ...EXAMPLE })

const UsageSample = named(
  'UsageSample',
  Type.Object({
    date,
    plan: PlanName,
    storage_limit: Type.Integer({ description: 'bytes, as the plan of that day allowed' }),
    ...usage,
  }),
  { date: '2026-05-04', plan: 'pro', storage_limit: 107374182400, ...EXAMPLE },
)

const ProjectUsageHistory = named(
  'ProjectUsageHistory',
  Type.Object({
    project_id: Type.String(),
    name: Type.String(),
    now: ref(UsageNow),
    samples: Type.Array(ref(UsageSample), {
      description: 'one for each day, from when the project was there',
    }),
  }),
  {
    project_id: exampleId('project'),
    name: 'Films',
    now: exampleOf(UsageNow),
    samples: [exampleOf(UsageSample)],
  },
)

export const UsageHistory = named(
  'UsageHistory',
  Type.Object({
    org_id: Type.String(),
    plan: PlanName,
    storage_limit: Type.Integer({ description: 'bytes for each project, as the plan allows now' }),
    totals: Type.Array(ref(UsageTotal), {
      description: 'all projects of each day together, those that were deleted since included',
    }),
    projects: Type.Array(ref(ProjectUsageHistory)),
    pagination: ref(Pagination),
  }),
  {
    org_id: exampleId('organization'),
    plan: 'pro',
    storage_limit: 107374182400,
    totals: [exampleOf(UsageTotal)],
    projects: [exampleOf(ProjectUsageHistory)],
    pagination: exampleOf(Pagination),
  },
)
export type UsageHistory = Static<typeof UsageHistory>
