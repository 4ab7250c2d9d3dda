import { type Static, Type } from 'typebox'
import type { OrganizationId } from '../../base/ids.ts'
import { PROBLEM_KEYWORD } from '../../http/describe-validation.ts'
import { Id } from '../../http/schemas.ts'
import { sameAs } from '../../http/synonyms.ts'
import { KIND_NAMES, type Kind } from '../../platform/events/fields.ts'
import { MAX_PARTS, QUALITY_GROUPS, type QualityGroup } from '../../platform/events/port.ts'

const Moment = Type.String({
  maxLength: 64,
  description:
    '`YYYY-MM-DD`, a whole UTC day, or a date-time of RFC 3339; inclusive. Without any: the last 30 days.',
})

/** Text as events have it, which is anything but NUL. */
const Value = { minLength: 1, maxLength: 1024, pattern: '^[^\\x00]*$' }

/** A name that is misspelt would give figures of something else: reports take the names that they know, no others. */
export const STRICT = { additionalProperties: false }

export const range = { start: Type.Optional(Moment), end: Type.Optional(Moment) }
const rangeInQuery = {
  ...range,
  'range.start': sameAs('start', Moment),
  'range.end': sameAs('end', Moment),
}

/** Whose events: what a key may see is its project; a user narrows it down. */
const scope = {
  project_id: Type.Optional(Id('project')),
  org_id: Type.Optional(
    Type.Unsafe<OrganizationId>({
      ...Id('organization'),
      description: 'for a user of several organizations',
    }),
  ),
}

export const ReportQuery = Type.Object({ ...rangeInQuery, ...scope }, STRICT)
export type ReportQuery = Static<typeof ReportQuery>

const topLimit = Type.String({
  pattern: '^([1-9]\\d?|100)$',
  [PROBLEM_KEYWORD]: 'be between 1 and 100',
  description: '1 to 100',
  default: '10',
})
const topOffset = Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })

const top = {
  limit: Type.Optional(topLimit),
  offset: Type.Optional(topOffset),
  'pagination.limit': sameAs('limit', topLimit),
  'pagination.offset': sameAs('offset', topOffset),
  ...rangeInQuery,
  ...scope,
}

export const TopQuery = Type.Object(top, STRICT)

export type TopQuery = Static<typeof TopQuery>

export const TopPostsQuery = Type.Object(
  { feed_id: Type.Optional(Type.String({ ...Id('feed'), description: 'posts of this feed alone' })), ...top },
  STRICT,
)

export const HeatmapQuery = Type.Object(
  {
    buckets: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PARTS, default: 100 })),
    ...rangeInQuery,
    ...scope,
  },
  STRICT,
)

export type HeatmapQuery = Static<typeof HeatmapQuery>

export const QualityReportQuery = Type.Object(
  {
    by: Type.Optional(Type.Unsafe<QualityGroup>({ type: 'string', enum: [...QUALITY_GROUPS] })),
    ...rangeInQuery,
    ...scope,
  },
  STRICT,
)

export type QualityReportQuery = Static<typeof QualityReportQuery>

const interval = Type.Optional(choice(['hour', 'day', 'week', 'month'] as const, 'day'))

export const DashboardQuery = Type.Object(
  {
    time_start: Type.Optional(Moment),
    time_end: Type.Optional(Moment),
    interval,
    ...rangeInQuery,
    ...scope,
  },
  STRICT,
)

export type DashboardQuery = Static<typeof DashboardQuery>

export const OverviewReportQuery = Type.Object(
  {
    interval,
    video_id: Type.Optional(Type.String({ ...Id('video'), description: 'views of this video alone' })),
    feed_id: Type.Optional(Type.String({ ...Id('feed'), description: 'views in this feed alone' })),
    country: Type.Optional(
      Type.String({ ...Value, description: 'views from this country alone, as events write it' }),
    ),
    ...rangeInQuery,
    ...scope,
  },
  STRICT,
)

export type OverviewReportQuery = Static<typeof OverviewReportQuery>

const valuesLimit = Type.Integer({ minimum: 1, maximum: 100, default: 25 })

export const ValuesReportQuery = Type.Object(
  {
    field: Type.Optional(
      Type.String({ maxLength: 100, description: 'whose values: one that `filters` of a funnel take' }),
    ),
    event_type: Type.Optional(
      Type.Unsafe<Kind>({
        type: 'string',
        enum: [...KIND_NAMES],
        description: 'values of these events alone',
      }),
    ),
    q: Type.Optional(
      Type.String({ ...Value, description: 'how values begin, whatever the case of A to Z is' }),
    ),
    limit: Type.Optional(valuesLimit),
    'pagination.limit': sameAs('limit', valuesLimit),
    ...rangeInQuery,
    ...scope,
  },
  STRICT,
)

export type ValuesReportQuery = Static<typeof ValuesReportQuery>

/** One of these; where none is given, the standard one. */
export function choice<T extends string>(values: readonly T[], standard: T) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], default: standard })
}

export const OneVideo = Type.Object({ video_id: Id('video') })
export const OnePost = Type.Object({ post_id: Id('post') })
export const OneFeed = Type.Object({ feed_id: Id('feed') })
