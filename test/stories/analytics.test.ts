import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addMember, addTenant } from '../support/world.ts'

const API_ONLY = { env: { MARQUEE_ROLES: 'api' } }
const A = 'vid_01k9aaaaaaaaaaaaaaaaaaaaaa'
const B = 'vid_01k9bbbbbbbbbbbbbbbbbbbbbb'
const POST = 'post_01k9aaaaaaaaaaaaaaaaaaaaaa'
const FEED = 'feed_01k9aaaaaaaaaaaaaaaaaaaaaa'
const UNKNOWN = '00000000000000000000000000'
const DAY = '?start=2026-11-02&end=2026-11-02'
const ZEROS = {
  total_views: 0,
  unique_viewers: 0,
  starts: 0,
  watches: 0,
  completions: 0,
  completion_rate: 0,
  avg_watch_time_ms: 0,
  total_watch_time_ms: 0,
}

/** Monday, 2 November 2026, at a time of day. */
const at = (time: string, day = '2026-11-02') => `${day}T${time}Z`

const view = (time: string, device_id: string, fields: object) => ({
  timestamp: time,
  content_view: { content_type: 'MEDIA_TYPE_VIDEO', device_id, ...fields },
})

async function withEvents(events: object[], clock?: () => number) {
  const service = await composeForTest({ ...API_ONLY, clock })
  expect((await service.api.post('/analytics/v1/events', { events })).status).toBe(200)
  return service
}

/** Ann watches A to its end and starts B; Bob goes on with A twice; nobody known starts A. */
const VIEWS = [
  view(at('10:00:00'), 'ann', { content_id: A, view_type: 'start', post_id: POST, feed_id: FEED }),
  view(at('10:01:00'), 'ann', {
    content_id: A,
    view_type: 'watch',
    watch_duration_ms: '30.5s',
    feed_id: FEED,
  }),
  view(at('10:02:00'), 'ann', { content_id: A, view_type: 'end', watch_duration_ms: '9.5s' }),
  view(at('10:03:00'), 'ann', { content_id: B, view_type: 'start' }),
  view(at('10:00:00'), 'bob', { content_id: A, view_type: 'watch', watch_duration_ms: '10s' }),
  view(at('10:00:30'), 'bob', {
    content_id: A,
    view_type: 'watch',
    segments: [{ start_ms: '0s', end_ms: '10s', speed: 2 }],
  }),
  view(at('11:00:00'), '', { content_id: A, view_type: 'start', content_type: 'MEDIA_TYPE_UNSPECIFIED' }),
  view(at('11:00:00'), 'cat', { content_id: A, view_type: 'start', content_type: 'MEDIA_TYPE_IMAGE' }),
  view(at('00:00:00', '2026-11-03'), 'dan', { content_id: A, view_type: 'start' }),
]

const STATS_OF_A = {
  // Two starts, and Bob, who has none.
  total_views: 3,
  unique_viewers: 2,
  starts: 2,
  watches: 3,
  completions: 1,
  completion_rate: 1 / 3,
  avg_watch_time_ms: 55_000 / 3,
  total_watch_time_ms: 55_000,
}
const STATS_OF_B = { ...ZEROS, total_views: 1, unique_viewers: 1, starts: 1 }

test('figures of videos, posts and feeds, and what is on top', async () => {
  const { api } = await withEvents(VIEWS)
  expect((await api.get(`/analytics/v1/videos/${A}/stats${DAY}`)).body).toEqual({
    video_id: A,
    ...STATS_OF_A,
  })
  expect((await api.get(`/analytics/v1/top/videos${DAY}`)).body).toEqual({
    videos: [
      { video_id: A, ...STATS_OF_A },
      { video_id: B, ...STATS_OF_B },
    ],
  })
  expect((await api.get(`/analytics/v1/top/videos${DAY}&limit=1`)).body.videos).toHaveLength(1)
  expect((await api.get(`/analytics/v1/top/videos?start=2026-11-03&end=2026-11-03`)).body.videos).toEqual([
    { ...STATS_OF_B, video_id: A },
  ])
  expect((await api.get(`/analytics/v1/posts/${POST}/stats${DAY}`)).body).toEqual({
    post_id: POST,
    ...STATS_OF_B,
  })
  expect((await api.get(`/analytics/v1/top/posts${DAY}`)).body).toEqual({
    posts: [{ post_id: POST, ...STATS_OF_B }],
  })
  const ofFeed = {
    feed_id: FEED,
    ...STATS_OF_B,
    watches: 1,
    avg_watch_time_ms: 30_500,
    total_watch_time_ms: 30_500,
  }
  expect((await api.get(`/analytics/v1/feeds/${FEED}/stats${DAY}`)).body).toEqual(ofFeed)
  expect((await api.get(`/analytics/v1/top/feeds${DAY}`)).body).toEqual({ feeds: [ofFeed] })

  for (const [noun, id] of [
    ['video', 'vid'],
    ['post', 'post'],
    ['feed', 'feed'],
  ]) {
    const stats = await api.get(`/analytics/v1/${noun}s/${id}_${UNKNOWN}/stats${DAY}`)
    expect(stats.body).toEqual({ [`${noun}_id`]: `${id}_${UNKNOWN}`, ...ZEROS })
    expect((await api.get(`/analytics/v1/${noun}s/x/stats`)).body).toMatchObject({
      code: 400,
      details: `params.${noun}_id: is malformed`,
    })
  }
  for (const limit of ['0', '101', 'x', '1.5', '-1', ''])
    expect((await api.get(`/analytics/v1/top/videos?limit=${limit}`)).status).toBe(400)
})

const step = (event_type: string, more: object = {}) => ({ name: event_type, event_type, ...more })

test('a funnel counts those who get through its steps in order', async () => {
  const session = (time: string, user_id: string, more: object = {}) => ({
    timestamp: at(time),
    session_start: { user_id, ...more },
  })
  const { api } = await withEvents([
    // Ann: all three within the hour. Bob: the last an hour and a microsecond later. Cat: out of order. Dan: first.
    session('10:00:00', 'ann', { utm_source: 'mail' }),
    view(at('10:30:00'), 'ann', { content_id: A, view_type: 'start', page: 'feed' }),
    view(at('10:45:00'), 'ann', { content_id: A, view_type: 'end', page: 'feed' }),
    session('12:00:00', 'bob', { utm_source: 'mail' }),
    view(at('12:30:00'), 'bob', { content_id: A, view_type: 'start', page: 'feed' }),
    view(at('13:00:00.000001'), 'bob', { content_id: A, view_type: 'end', page: 'feed' }),
    view(at('09:00:00'), 'cat', { content_id: A, view_type: 'start', page: 'feed' }),
    session('10:00:00', 'cat', { utm_source: 'mail' }),
    session('10:00:00', 'dan'),
    session('10:00:00', ''),
  ])
  const funnel = (body: object, query = DAY) => api.post(`/analytics/v1/funnels${query}`, body)
  const steps = [
    step('session_start', { page_type: '' }),
    step('content_view', { page_type: 'feed', filters: { view_type: 'start', content_id: A } }),
    step('content_view', { filters: { view_type: 'end' } }),
  ]
  expect((await funnel({ steps })).body).toEqual({
    total_users: 4,
    completed_users: 2,
    completion_rate: 0.5,
    average_time_hours: (0.75 + (3600 + 0.000001) / 3600) / 2,
    steps: [
      { step_name: 'session_start', user_count: 4, conversion_rate: 1, dropoff_rate: 0 },
      { step_name: 'content_view', user_count: 2, conversion_rate: 0.5, dropoff_rate: 0.5 },
      { step_name: 'content_view', user_count: 2, conversion_rate: 1, dropoff_rate: 0 },
    ],
  })
  const within = (await funnel({ steps, time_window: 1 })).body
  expect([within.total_users, within.completed_users, within.average_time_hours]).toEqual([4, 1, 0.75])
  expect((await funnel({ steps, time_window: 0 })).body.completed_users).toBe(2)
  expect((await funnel({ steps, time_window: 2147483647 })).body.completed_users).toBe(2)
  const mailed = [step('session_start', { filters: { utm_source: 'mail' } }), ...steps.slice(1)]
  expect((await funnel({ steps: mailed })).body.total_users).toBe(3)

  // Nobody after the first: what does not go on drops off.
  const lonely = (await funnel({ steps: [steps[0], step('error'), step('error')] })).body
  expect(lonely.steps.map((s: { conversion_rate: number }) => s.conversion_rate)).toEqual([1, 0, 0])
  expect(lonely.steps.map((s: { dropoff_rate: number }) => s.dropoff_rate)).toEqual([0, 1, 1])
  // Nobody at all: zeros.
  expect((await funnel({ steps: [step('error')] })).body).toEqual({
    total_users: 0,
    completed_users: 0,
    completion_rate: 0,
    average_time_hours: 0,
    steps: [{ step_name: 'error', user_count: 0, conversion_rate: 0, dropoff_rate: 0 }],
  })

  // The body's range goes first, what it leaves out comes from the query.
  const total = async (range: object, query: string) =>
    (await funnel({ steps: [steps[0]], range }, query)).body.total_users
  expect(await total({ start: '2026-11-02T11:00:00Z' }, DAY)).toBe(1)
  expect(await total({ end: '2026-11-02T11:00:00Z' }, DAY)).toBe(3)
  expect(await total({ start: '2026-11-02', end: '2026-11-02' }, '?start=2020-01-01&end=2020-01-01')).toBe(4)
  expect((await funnel({ steps: Array(20).fill(steps[0]) })).body.total_users).toBe(4)
})

test('a funnel of what is not there is refused by name', async () => {
  const { api } = await composeForTest(API_ONLY)
  const refused = async (body: object) => {
    const answer = await api.post('/analytics/v1/funnels', body)
    expect(answer.status).toBe(400)
    return answer.body.details
  }
  const good = step('error')
  expect(await refused({ steps: [good, step('errors')] })).toBe(
    'body.steps[1].event_type: must be one of content_view, engagement, error, interaction, session_start',
  )
  expect(await refused({ steps: [step('error', { filters: { page: 'feed' } })] })).toBe(
    'body.steps[0].filters.page: error has no such field',
  )
  expect(await refused({ steps: [step('error', { page_type: 'feed' })] })).toBe(
    'body.steps[0].page_type: error has no such field',
  )
  expect(
    await refused({ steps: [step('content_view', { page_type: 'feed', filters: { page: 'profile' } })] }),
  ).toBe('body.steps[0].page_type: is not what filters.page is')
  for (const filters of [{ view_type: 1 }, { segments: 'x' }, { constructor: 'x' }, { city: 'a\0' }])
    await refused({ steps: [step('content_view', { filters })] })
  for (const body of [
    {},
    { steps: [] },
    { steps: Array(21).fill(good) },
    { steps: [{ event_type: 'error' }] },
    { steps: [good], time_window: -1 },
    { steps: [good], time_window: 1.5 },
    { steps: [good], range: { start: 'x' } },
    { steps: [good], range: { start: '2026-11-02', end: '2026-11-01' } },
  ])
    await refused(body)
})

test('heat: what of a video is watched, and what more than the rest', async () => {
  const segments = (...parts: [number, number][]) => ({
    content_id: A,
    view_type: 'watch',
    video_total_duration_ms: '10s',
    segments: parts.map(([start, end]) => ({ start_ms: `${start}s`, end_ms: `${end}s` })),
  })
  const { api } = await withEvents([
    view(at('10:00:00'), 'ann', segments([0, 10])),
    view(at('10:01:00'), 'ann', segments([4, 6])),
    view(at('10:00:00'), 'bob', segments([4, 6], [4, 5])),
    view(at('10:00:00'), '', segments([0, 10])),
  ])
  const heat = async (query: string) =>
    (await api.get(`/analytics/v1/videos/${A}/heatmap${DAY}${query}`)).body
  expect(await heat('&buckets=5')).toEqual({
    video_id: A,
    total_duration_ms: 10_000,
    data: [0.5, 0.5, 2, 0.5, 0.5],
  })
  expect((await heat('&buckets=10')).data).toEqual([0.5, 0.5, 0.5, 0.5, 2, 1.5, 0.5, 0.5, 0.5, 0.5])
  expect((await heat('')).data).toHaveLength(100)
  // Seconds 4 and 5 have 4 and 3 passes, the other eight one each: 1.5 on average.
  expect((await api.get(`/analytics/v1/videos/${A}/hot-segments${DAY}`)).body).toEqual({
    segments: [{ start_second: 4, end_second: 6, multiplier: 3.5 / 1.5 }],
  })
  const unknown = `/analytics/v1/videos/vid_${UNKNOWN}`
  expect((await api.get(`${unknown}/heatmap?buckets=3`)).body).toEqual({
    video_id: `vid_${UNKNOWN}`,
    total_duration_ms: 0,
    data: [0, 0, 0],
  })
  expect((await api.get(`${unknown}/hot-segments`)).body).toEqual({ segments: [] })
  for (const buckets of ['0', '1001', 'x', '1.5'])
    expect((await api.get(`/analytics/v1/videos/${A}/heatmap?buckets=${buckets}`)).status).toBe(400)
})

test('a dashboard has a point for every interval, zeros included', async () => {
  const { api } = await withEvents([
    ...VIEWS,
    { timestamp: at('12:30:00'), engagement: { engagement_type: 'like' } },
    { timestamp: at('12:30:00'), error: { session_id: 'eve' } },
  ])
  const points = async (query: string) => (await api.get(`/analytics/v1/dashboard?${query}`)).body.points
  expect(await points('time_start=2026-11-01&time_end=2026-11-03')).toEqual([
    { timestamp: '2026-11-01T00:00:00.000Z', views: 0, unique_users: 0 },
    // Of A four with the start of no known viewer and of a picture, of B one; ann, bob, cat and eve.
    { timestamp: '2026-11-02T00:00:00.000Z', views: 5, unique_users: 4 },
    { timestamp: '2026-11-03T00:00:00.000Z', views: 1, unique_users: 1 },
  ])
  const hours = await points('start=2026-11-02T09:30:00Z&end=2026-11-02T12:00:00Z&interval=hour')
  expect(hours).toEqual([
    { timestamp: '2026-11-02T09:00:00.000Z', views: 0, unique_users: 0 },
    { timestamp: '2026-11-02T10:00:00.000Z', views: 3, unique_users: 2 },
    { timestamp: '2026-11-02T11:00:00.000Z', views: 2, unique_users: 1 },
    { timestamp: '2026-11-02T12:00:00.000Z', views: 0, unique_users: 0 },
  ])
  expect(await points('start=2026-11-01&end=2026-11-02&interval=week')).toEqual([
    { timestamp: '2026-10-26T00:00:00.000Z', views: 0, unique_users: 0 },
    { timestamp: '2026-11-02T00:00:00.000Z', views: 5, unique_users: 4 },
  ])
  expect(await points('start=2026-10-31&end=2026-11-03&interval=month')).toEqual([
    { timestamp: '2026-10-01T00:00:00.000Z', views: 0, unique_users: 0 },
    { timestamp: '2026-11-01T00:00:00.000Z', views: 6, unique_users: 5 },
  ])
  expect(await points('')).toHaveLength(30)
  for (const query of ['interval=year', 'interval=hour&start=2020-01-01&end=2022-01-01', 'time_start=x'])
    expect((await api.get(`/analytics/v1/dashboard?${query}`)).status).toBe(400)
})

test('realtime is about the last five minutes', async () => {
  const now = Date.parse('2026-11-02T12:00:00.500Z')
  const { api } = await withEvents(
    [
      { timestamp: '2026-11-02T11:55:00.400Z', error: { session_id: 'too early' } },
      { timestamp: '2026-11-02T12:00:01Z', error: { session_id: 'to come' } },
      view('2026-11-02T11:56:00Z', 'ann', { content_id: A, page: 'feed', country: 'DE' }),
      view('2026-11-02T11:59:30Z', 'ann', { content_id: B, country: 'FR' }),
      { timestamp: '2026-11-02T12:00:00.000250Z', session_start: { user_id: 'bob', country: 'DE' } },
      { timestamp: '2026-11-02T12:00:00.500Z', engagement: {} },
    ],
    () => now,
  )
  const nothing = { user_id: '', country: '', page: '', content_id: '' }
  expect((await api.get('/analytics/v1/realtime')).body).toEqual({
    timestamp: '2026-11-02T12:00:00.500Z',
    active_users: 2,
    events_per_minute: 3,
    top_events: [
      { event_type: 'content_view', count: 2 },
      { event_type: 'engagement', count: 1 },
      { event_type: 'session_start', count: 1 },
    ],
    top_countries: [
      { country: 'DE', count: 2 },
      { country: 'FR', count: 1 },
    ],
    recent_events: [
      { ...nothing, timestamp: '2026-11-02T12:00:00.500Z', event_type: 'engagement' },
      {
        ...nothing,
        timestamp: '2026-11-02T12:00:00.000250Z',
        event_type: 'session_start',
        user_id: 'bob',
        country: 'DE',
      },
      {
        ...nothing,
        timestamp: '2026-11-02T11:59:30.000Z',
        event_type: 'content_view',
        user_id: 'ann',
        country: 'FR',
        content_id: B,
      },
      {
        timestamp: '2026-11-02T11:56:00.000Z',
        event_type: 'content_view',
        user_id: 'ann',
        country: 'DE',
        page: 'feed',
        content_id: A,
      },
    ],
  })
})

test('retention follows those who came in a period through the ones after', async () => {
  const seen = (day: string, user_id: string) => ({
    timestamp: at('12:00:00', day),
    session_start: { user_id },
  })
  const { api } = await withEvents([
    ...['2026-11-02', '2026-11-03', '2026-11-05'].map((day) => seen(day, 'ann')),
    ...['2026-11-02', '2026-11-05'].map((day) => seen(day, 'bob')),
    ...['2026-11-04', '2026-11-05', '2026-11-05'].map((day) => seen(day, 'cat')),
    seen('2026-11-03', ''),
    seen('2026-11-06', 'ann'),
  ])
  const range = { start: '2026-11-02', end: '2026-11-05' }
  expect((await api.post('/analytics/v1/retention', { period: 'day', range })).body).toEqual({
    period: 'day',
    cohorts: [
      { cohort_date: '2026-11-02', cohort_size: 2, retention_data: [1, 0.5, 0, 1] },
      { cohort_date: '2026-11-03', cohort_size: 0, retention_data: [0, 0, 0] },
      { cohort_date: '2026-11-04', cohort_size: 1, retention_data: [1, 1] },
      { cohort_date: '2026-11-05', cohort_size: 0, retention_data: [0] },
    ],
  })
  expect(
    (
      await api.post(`/analytics/v1/retention?end=2026-11-09`, {
        period: 'week',
        range: { start: '2026-11-01' },
      })
    ).body,
  ).toEqual({
    period: 'week',
    cohorts: [
      { cohort_date: '2026-10-26', cohort_size: 0, retention_data: [0, 0, 0] },
      { cohort_date: '2026-11-02', cohort_size: 3, retention_data: [1, 0] },
      { cohort_date: '2026-11-09', cohort_size: 0, retention_data: [0] },
    ],
  })
  expect((await api.post('/analytics/v1/retention')).body.cohorts).toHaveLength(30)
  for (const body of [
    { period: 'hour' },
    { range: { start: '2020-01-01', end: '2022-01-01' } },
    { range: 1 },
  ])
    expect((await api.post('/analytics/v1/retention', body)).status).toBe(400)
})

test('who sees whose events', async () => {
  const service = await composeForTest(API_ONLY)
  const mine = await addTenant(service, 'mine')
  const theirs = await addTenant(service, 'theirs')
  const second = (await mine.owner.post(`/organizations/${mine.orgId}/projects/v1`, { name: 'second' })).body
    .id
  const events = VIEWS
  await service.api.as(key(mine.publishableKey)).post('/analytics/v1/events', { events })
  await mine.owner.post('/analytics/v1/events', { events, project_id: second })
  const starts = async (who: typeof mine.owner, query = '') => {
    const answer = await who.get(`/analytics/v1/videos/${A}/stats${DAY}${query}`)
    return answer.status === 200 ? answer.body.starts : answer.status
  }
  const secret = service.api.as(key(mine.secretKey))
  expect(await starts(secret)).toBe(2)
  expect(await starts(secret, `&project_id=${mine.projectId}&org_id=${mine.orgId}`)).toBe(2)
  for (const other of [`project_id=${second}`, `project_id=${theirs.projectId}`, `org_id=${theirs.orgId}`])
    expect(await starts(secret, `&${other}`)).toBe(403)

  expect(await starts(mine.owner)).toBe(4)
  expect(await starts(mine.owner, `&project_id=${second}`)).toBe(2)
  expect(await starts(mine.owner, `&org_id=${mine.orgId}`)).toBe(4)
  for (const other of [
    `project_id=${theirs.projectId}`,
    `project_id=proj_${UNKNOWN}`,
    `org_id=${theirs.orgId}`,
    `org_id=org_${UNKNOWN}`,
    `project_id=${second}&org_id=${theirs.orgId}`,
  ])
    expect(await starts(mine.owner, `&${other}`)).toBe(403)
  expect(await starts(mine.owner, '&project_id=x')).toBe(400)
  expect(await starts(theirs.owner)).toBe(0)
  const powerless = await addMember(service, mine, 'powerless@mine.example', ['events:write'])
  expect(await starts(powerless.api)).toBe(403)

  const [both] = await service.sql`select id from users where email = 'owner@theirs.example'`
  await service.sql`insert into memberships (org_id, user_id, role) values (${mine.orgId}, ${both!.id}, 'owner')`
  const unsaid = await theirs.owner.get('/analytics/v1/realtime')
  expect(unsaid.body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'you are in several organizations: name a project_id or an org_id',
  })
  expect(await starts(theirs.owner, `&org_id=${mine.orgId}`)).toBe(4)
  expect(await starts(theirs.owner, `&project_id=${theirs.projectId}`)).toBe(0)
})
