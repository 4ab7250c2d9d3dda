import { expect, test } from 'vitest'
import { A, at, B, DAY, FEED, VIEWS, view, withEvents } from '../support/reported.ts'
import { addTenant } from '../support/world.ts'

test('an overview has the period before beside it, points over time, and agrees with the figures of a video', async () => {
  const { api } = await withEvents([
    ...VIEWS,
    view(at('23:00:00', '2026-11-01'), 'eve', { content_id: B, view_type: 'end', watch_duration_ms: '2s' }),
    { timestamp: at('12:30:00'), error: { session_id: 'nobody watches an error' } },
  ])
  const overview = async (query: string) => (await api.get(`/analytics/v1/overview${query}`)).body
  const day = await overview(DAY)
  expect(day).toEqual({
    // Of A: two starts of a video, Bob's view without one, and Cat's picture; of B one.
    totals: { views: 5, viewers: 3, watch_time_ms: 55_000, completion_rate: 0.2 },
    previous: { views: 1, viewers: 1, watch_time_ms: 2000, completion_rate: 1 },
    points: [{ timestamp: '2026-11-02T00:00:00.000Z', views: 5, viewers: 3, watch_time_ms: 55_000 }],
  })
  const { points } = await overview('?start=2026-11-02T10:00:00Z&end=2026-11-02T11:59:00Z&interval=hour')
  expect(points).toEqual([
    { timestamp: '2026-11-02T10:00:00.000Z', views: 3, viewers: 2, watch_time_ms: 55_000 },
    { timestamp: '2026-11-02T11:00:00.000Z', views: 2, viewers: 1, watch_time_ms: 0 },
  ])
  const stats = (await api.get(`/analytics/v1/videos/${A}/stats${DAY}`)).body
  expect((await overview(`${DAY}&video_id=${A}`)).totals).toEqual({
    views: stats.total_views,
    viewers: stats.unique_viewers,
    watch_time_ms: stats.total_watch_time_ms,
    completion_rate: stats.completion_rate,
  })
  expect((await overview(`${DAY}&feed_id=${FEED}`)).totals).toMatchObject({ views: 1, watch_time_ms: 30_500 })
  expect((await overview(`${DAY}&country=DE`)).totals.views).toBe(0)
  expect((await overview('')).points).toHaveLength(30)
  for (const query of [
    '?interval=year',
    '?interval=hour&start=2020-01-01&end=2022-01-01',
    '?video_id=x',
    '?country=',
  ])
    expect((await api.get(`/analytics/v1/overview${query}`)).status, query).toBe(400)
  // As far back as a date can be written, the period before is still one.
  expect((await overview('?start=0001-01-01&end=9999-12-31&interval=month')).code).toBe(400)
  expect((await api.get('/analytics/v1/overview?start=0001-01-01&end=0001-01-01')).body.totals.views).toBe(0)
})

test('values are those of the own project, as a funnel would filter by them', async () => {
  const service = await withEvents([
    ...VIEWS,
    view(at('10:00:00'), 'ann', { page: 'feed', country: 'Deutschland' }),
    { timestamp: at('12:00:00'), session_start: { user_id: 'eve', country: 'DE', browser: 'Firefox' } },
  ])
  const { api } = service
  const values = async (query: string) => (await api.get(`/analytics/v1/values${DAY}${query}`)).body
  expect(await values('')).toMatchObject({
    event_types: [
      { event_type: 'content_view', count: 9 },
      { event_type: 'session_start', count: 1 },
    ],
    values: [],
  })
  const { fields } = await values('&event_type=error')
  expect(fields).toContain('error_code')
  expect(fields).not.toContain('view_type')
  expect((await values('&field=view_type')).values).toEqual([
    { value: 'start', count: 4 },
    { value: 'watch', count: 3 },
    { value: 'end', count: 1 },
  ])
  expect((await values('&field=view_type&limit=1')).values).toEqual([{ value: 'start', count: 4 }])
  expect((await values('&field=country&q=de')).values.map(({ value }: { value: string }) => value)).toEqual([
    'DE',
    'Deutschland',
  ])
  const [sessions] = (await values('&field=country&q=d&event_type=session_start')).values
  const steps = [{ name: 'x', event_type: 'session_start', filters: { country: sessions.value } }]
  expect((await api.post(`/analytics/v1/funnels${DAY}`, { steps })).body.total_users).toBe(1)
  expect((await values('&field=pages')).details).toBe(
    'field: events have no such field; did you mean "page"?',
  )
  expect((await values('&field=view_type&event_type=error')).details).toMatch(
    /^field: error has no such field/,
  )
  expect((await values('&event_type=click')).details).toMatch(
    /^query.event_type: must be one of content_view/,
  )

  const theirs = await addTenant(service, 'theirs')
  const other = await theirs.owner.get(`/analytics/v1/values${DAY}&field=country`)
  expect(other.body).toMatchObject({ event_types: [], values: [] })
})
