import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { EXAMPLE_TIME, exampleOf, named, ref, Timestamp } from '../../http/schemas.ts'
import { KIND_NAMES } from '../../platform/events/fields.ts'
import { choice, range, STRICT } from './query-schemas.ts'

const Range = named('DateRange', Type.Object(range, STRICT), { start: '2026-05-01', end: '2026-05-31' })

/** Any text but NUL, which no event has in it. */
const Text = Type.String({ pattern: '^[^\\x00]*$' })

const FunnelStep = named(
  'FunnelStep',
  Type.Object(
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
  ),
  { name: 'Started', event_type: 'content_view', page_type: 'feed', filters: { view_type: 'start' } },
)

export const FunnelRequest = named(
  'FunnelRequest',
  Type.Object(
    {
      range: Type.Optional(ref(Range)),
      steps: Type.Array(ref(FunnelStep), { minItems: 1, maxItems: 20 }),
      time_window: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'hours from the first step within which the others must follow; 0: the whole range',
        }),
      ),
    },
    STRICT,
  ),
  {
    range: exampleOf(Range),
    steps: [
      exampleOf(FunnelStep),
      { name: 'Finished', event_type: 'content_view', filters: { view_type: 'end' } },
    ],
    time_window: 24,
  },
)
export type FunnelRequest = Static<typeof FunnelRequest>

const Rate = Type.Number({ minimum: 0, maximum: 1 })

const FunnelStepResult = named(
  'FunnelStepResult',
  Type.Object({
    step_name: Type.String(),
    user_count: Type.Integer(),
    conversion_rate: Rate,
    dropoff_rate: Rate,
    average_time_hours: Type.Number({
      description: 'from the step before, the mean over those who got here; 0 for the first',
    }),
  }),
  { step_name: 'Started', user_count: 200, conversion_rate: 1, dropoff_rate: 0, average_time_hours: 0 },
)

export const FunnelResult = named(
  'FunnelResult',
  Type.Object({
    total_users: Type.Integer(),
    completed_users: Type.Integer(),
    completion_rate: Rate,
    average_time_hours: Type.Number(),
    steps: Type.Array(ref(FunnelStepResult)),
  }),
  {
    total_users: 200,
    completed_users: 50,
    completion_rate: 0.25,
    average_time_hours: 1.5,
    steps: [
      exampleOf(FunnelStepResult),
      {
        step_name: 'Finished',
        user_count: 50,
        conversion_rate: 0.25,
        dropoff_rate: 0.75,
        average_time_hours: 1.5,
      },
    ],
  },
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

const countsExample = {
  total_views: 320,
  unique_viewers: 200,
  starts: 310,
  watches: 280,
  completions: 80,
  completion_rate: 0.25,
  avg_watch_time_ms: 21500,
  total_watch_time_ms: 6880000,
}

export const VideoStats = named('VideoStats', Type.Object({ video_id: Type.String(), ...counts }), {
  video_id: exampleId('video'),
  ...countsExample,
})
export const PostStats = named('PostStats', Type.Object({ post_id: Type.String(), ...counts }), {
  post_id: exampleId('post'),
  ...countsExample,
})
export const FeedStats = named('FeedStats', Type.Object({ feed_id: Type.String(), ...counts }), {
  feed_id: exampleId('feed'),
  ...countsExample,
})

export const TopVideos = named('TopVideos', Type.Object({ videos: Type.Array(ref(VideoStats)) }), {
  videos: [exampleOf(VideoStats)],
})
export const TopPosts = named('TopPosts', Type.Object({ posts: Type.Array(ref(PostStats)) }), {
  posts: [exampleOf(PostStats)],
})
export const TopFeeds = named('TopFeeds', Type.Object({ feeds: Type.Array(ref(FeedStats)) }), {
  feeds: [exampleOf(FeedStats)],
})

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
  { video_id: exampleId('video'), total_duration_ms: 42500, data: [1, 0.9, 1.2, 0.6] },
)
export type Heatmap = Static<typeof Heatmap>

const HotSegment = named(
  'HotSegment',
  Type.Object({
    start_second: Type.Integer(),
    end_second: Type.Integer({ description: 'the first second that is no longer part of it' }),
    multiplier: Type.Number({ description: 'how often it is watched, divided by the average second' }),
  }),
  { start_second: 12, end_second: 20, multiplier: 1.8 },
)

export const HotSegments = named('HotSegments', Type.Object({ segments: Type.Array(ref(HotSegment)) }), {
  segments: [exampleOf(HotSegment)],
})
export type HotSegments = Static<typeof HotSegments>

const DashboardPoint = named(
  'DashboardPoint',
  Type.Object({ timestamp: Timestamp, views: Type.Integer(), unique_users: Type.Integer() }),
  { timestamp: '2026-05-04T00:00:00.000Z', views: 320, unique_users: 200 },
)

export const Dashboard = named('Dashboard', Type.Object({ points: Type.Array(ref(DashboardPoint)) }), {
  points: [exampleOf(DashboardPoint)],
})
export type Dashboard = Static<typeof Dashboard>

export const EventCount = named(
  'EventCount',
  Type.Object({ event_type: Type.String(), count: Type.Integer() }),
  {
    event_type: 'content_view',
    count: 42,
  },
)

const CountryCount = named('CountryCount', Type.Object({ country: Type.String(), count: Type.Integer() }), {
  country: 'PT',
  count: 30,
})

const RecentEvent = named(
  'RecentEvent',
  Type.Object({
    timestamp: Timestamp,
    event_type: Type.String(),
    user_id: Type.String({ description: 'the viewer; empty where none is known, as are the others' }),
    country: Type.String(),
    page: Type.String(),
    content_id: Type.String(),
  }),
  {
    timestamp: EXAMPLE_TIME,
    event_type: 'content_view',
    user_id: 'ada',
    country: 'PT',
    page: 'feed',
    content_id: exampleId('video'),
  },
)

export const Realtime = named(
  'Realtime',
  Type.Object({
    timestamp: Timestamp,
    active_users: Type.Integer({ description: 'different viewers in the last five minutes' }),
    events_per_minute: Type.Integer({ description: 'events of the last minute' }),
    top_events: Type.Array(ref(EventCount)),
    top_countries: Type.Array(ref(CountryCount)),
    recent_events: Type.Array(ref(RecentEvent)),
  }),
  {
    timestamp: EXAMPLE_TIME,
    active_users: 12,
    events_per_minute: 42,
    top_events: [exampleOf(EventCount)],
    top_countries: [exampleOf(CountryCount)],
    recent_events: [exampleOf(RecentEvent)],
  },
)
export type Realtime = Static<typeof Realtime>

export const RetentionRequest = named(
  'RetentionRequest',
  Type.Object(
    {
      period: Type.Optional(choice(['day', 'week', 'month'] as const, 'day')),
      range: Type.Optional(ref(Range)),
    },
    STRICT,
  ),
  { period: 'week', range: exampleOf(Range) },
)
export type RetentionRequest = Static<typeof RetentionRequest>

const RetentionCohort = named(
  'RetentionCohort',
  Type.Object({
    cohort_date: Type.String({ format: 'date', description: 'when the period begins' }),
    cohort_size: Type.Integer({ description: 'viewers whose first event of the range is in the period' }),
    retention_data: Type.Array(Rate, {
      description: 'the part of them that was seen in that many periods after, to the end of the range',
    }),
  }),
  { cohort_date: '2026-05-04', cohort_size: 120, retention_data: [1, 0.5, 0.25] },
)

export const Retention = named(
  'Retention',
  Type.Object({ period: Type.String(), cohorts: Type.Array(ref(RetentionCohort)) }),
  { period: 'week', cohorts: [exampleOf(RetentionCohort)] },
)
export type Retention = Static<typeof Retention>
