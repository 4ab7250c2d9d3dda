import { type Static, Type } from 'typebox'
import { PROBLEM_KEYWORD } from '../../http/describe-validation.ts'
import { Id, named, Timestamp } from '../../http/schemas.ts'
import { sameAs } from '../../http/synonyms.ts'
import { KIND_NAMES } from '../../platform/events/fields.ts'
import { MAX_PARTS } from '../../platform/events/port.ts'

const Moment = Type.String({
  maxLength: 64,
  description:
    '`YYYY-MM-DD`, a whole UTC day, or a date-time of RFC 3339; inclusive. Without any: the last 30 days.',
})

/** A name that is misspelt would give figures of something else: reports take the names that they know, no others. */
const STRICT = { additionalProperties: false }

const range = { start: Type.Optional(Moment), end: Type.Optional(Moment) }
const rangeInQuery = {
  ...range,
  'range.start': sameAs('start', Moment),
  'range.end': sameAs('end', Moment),
}

/** Whose events: what a key may see is its project; a user narrows it down. */
const scope = {
  project_id: Type.Optional(Id('project')),
  org_id: Type.Optional(
    Type.String({ ...Id('organization'), description: 'for a user of several organizations' }),
  ),
}

export const ReportQuery = Type.Object({ ...rangeInQuery, ...scope }, STRICT)
export type ReportQuery = Static<typeof ReportQuery>

const top = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]\\d?|100)$',
      [PROBLEM_KEYWORD]: 'be between 1 and 100',
      description: '1 to 100',
      default: '10',
    }),
  ),
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

export const DashboardQuery = Type.Object(
  {
    time_start: Type.Optional(Moment),
    time_end: Type.Optional(Moment),
    interval: Type.Optional(choice(['hour', 'day', 'week', 'month'] as const, 'day')),
    ...rangeInQuery,
    ...scope,
  },
  STRICT,
)

export type DashboardQuery = Static<typeof DashboardQuery>

function choice<T extends string>(values: readonly T[], standard: T) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], default: standard })
}

export const OneVideo = Type.Object({ video_id: Id('video') })
export const OnePost = Type.Object({ post_id: Id('post') })
export const OneFeed = Type.Object({ feed_id: Id('feed') })

const Range = Type.Object(range, STRICT)

/** Any text but NUL, which no event has in it. */
const Text = Type.String({ pattern: '^[^\\x00]*$' })

const FunnelStep = Type.Object(
  {
    name: Type.String(),
    event_type: Type.String({ description: `one of ${KIND_NAMES.join(', ')}` }),
    page_type: Type.Optional(
      Type.String({ pattern: '^[^\\x00]*$', description: 'what the `page` of the event is; empty: any' }),
    ),
    filters: Type.Optional(
      Type.Record(Type.String(), Text, {
        description: 'fields of the kind or of the envelope, and what each must be, as text',
      }),
    ),
  },
  STRICT,
)

export const FunnelRequest = Type.Object(
  {
    range: Type.Optional(Range),
    steps: Type.Array(FunnelStep, { minItems: 1, maxItems: 20 }),
    time_window: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'hours from the first step within which the others must follow; 0: the whole range',
      }),
    ),
  },
  STRICT,
)
export type FunnelRequest = Static<typeof FunnelRequest>

const Rate = Type.Number({ minimum: 0, maximum: 1 })

export const FunnelResult = named(
  'FunnelResult',
  Type.Object({
    total_users: Type.Integer(),
    completed_users: Type.Integer(),
    completion_rate: Rate,
    average_time_hours: Type.Number(),
    steps: Type.Array(
      Type.Object({
        step_name: Type.String(),
        user_count: Type.Integer(),
        conversion_rate: Rate,
        dropoff_rate: Rate,
      }),
    ),
  }),
)
export type FunnelResult = Static<typeof FunnelResult>

const counts = {
  total_views: Type.Integer(),
  unique_viewers: Type.Integer(),
  starts: Type.Integer(),
  watches: Type.Integer(),
  completions: Type.Integer(),
  completion_rate: Rate,
  avg_watch_time_ms: Type.Number(),
  total_watch_time_ms: Type.Number(),
}

const Counts = Type.Object(counts)
export type Counts = Static<typeof Counts>

export const VideoStats = named('VideoStats', Type.Object({ video_id: Type.String(), ...counts }))
export const PostStats = named('PostStats', Type.Object({ post_id: Type.String(), ...counts }))
export const FeedStats = named('FeedStats', Type.Object({ feed_id: Type.String(), ...counts }))

export const Heatmap = named(
  'Heatmap',
  Type.Object({
    video_id: Type.String(),
    total_duration_ms: Type.Number(),
    data: Type.Array(Type.Number(), {
      description:
        'for each part of the video: how often it was watched, divided by the viewers of the video',
    }),
  }),
)
export type Heatmap = Static<typeof Heatmap>

export const HotSegments = named(
  'HotSegments',
  Type.Object({
    segments: Type.Array(
      Type.Object({
        start_second: Type.Integer(),
        end_second: Type.Integer({ description: 'the first second that is no longer part of it' }),
        multiplier: Type.Number({ description: 'how often it is watched, divided by the average second' }),
      }),
    ),
  }),
)
export type HotSegments = Static<typeof HotSegments>

export const Dashboard = named(
  'Dashboard',
  Type.Object({
    points: Type.Array(
      Type.Object({ timestamp: Timestamp, views: Type.Integer(), unique_users: Type.Integer() }),
    ),
  }),
)
export type Dashboard = Static<typeof Dashboard>

export const Realtime = named(
  'Realtime',
  Type.Object({
    timestamp: Timestamp,
    active_users: Type.Integer({ description: 'different viewers in the last five minutes' }),
    events_per_minute: Type.Integer({ description: 'events of the last minute' }),
    top_events: Type.Array(Type.Object({ event_type: Type.String(), count: Type.Integer() })),
    top_countries: Type.Array(Type.Object({ country: Type.String(), count: Type.Integer() })),
    recent_events: Type.Array(
      Type.Object({
        timestamp: Timestamp,
        event_type: Type.String(),
        user_id: Type.String({ description: 'the viewer; empty where none is known, as are the others' }),
        country: Type.String(),
        page: Type.String(),
        content_id: Type.String(),
      }),
    ),
  }),
)
export type Realtime = Static<typeof Realtime>

export const RetentionRequest = Type.Object(
  {
    period: Type.Optional(choice(['day', 'week', 'month'] as const, 'day')),
    range: Type.Optional(Range),
  },
  STRICT,
)
export type RetentionRequest = Static<typeof RetentionRequest>

export const Retention = named(
  'Retention',
  Type.Object({
    period: Type.String(),
    cohorts: Type.Array(
      Type.Object({
        cohort_date: Type.String({ format: 'date', description: 'when the period begins' }),
        cohort_size: Type.Integer({ description: 'viewers whose first event of the range is in the period' }),
        retention_data: Type.Array(Rate, {
          description: 'the part of them that was seen in that many periods after, to the end of the range',
        }),
      }),
    ),
  }),
)
export type Retention = Static<typeof Retention>
