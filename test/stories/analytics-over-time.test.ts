import { expect, test } from 'vitest'
import { A, at, B, VIEWS, view, withEvents } from '../support/reported.ts'

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
  const earlier = await api.get('/analytics/v1/realtime?start=2026-11-02T11:55:30Z&end=2026-11-02T11:59:00Z')
  expect(earlier.body).toMatchObject({ active_users: 1, top_countries: [{ country: 'DE', count: 1 }] })
  const before = await api.get('/analytics/v1/realtime?start=2026-11-01&end=2026-11-01')
  expect(before.body).toMatchObject({ active_users: 0, events_per_minute: 0, recent_events: [] })
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
