import { expect, test } from 'vitest'
import { A, at, DAY, FEED, POST, VIEWS, view, withEvents } from '../support/reported.ts'

const OTHER_FEED = 'feed_00000000000000000000000002'
const OTHER_POST = 'post_00000000000000000000000002'
const STEPS = [{ name: 'seen', event_type: 'content_view' }]

const QUERIES: [path: string, wrong: string, meant: string][] = [
  ['/analytics/v1/top/videos', 'form', 'start'],
  ['/analytics/v1/top/videos', 'start_date', 'start'],
  ['/analytics/v1/top/videos', 'limits', 'limit'],
  // Only posts are of a feed: for videos it would filter nothing.
  ['/analytics/v1/top/videos', 'feed_id', 'org_id'],
  ['/analytics/v1/top/posts', 'feedId', 'feed_id'],
  ['/analytics/v1/top/feeds', 'project', 'project_id'],
  [`/analytics/v1/videos/${A}/stats`, 'ends', 'end'],
  [`/analytics/v1/posts/${POST}/stats`, 'strat', 'start'],
  [`/analytics/v1/feeds/${FEED}/stats`, 'organization_id', 'org_id'],
  [`/analytics/v1/videos/${A}/heatmap`, 'bucket', 'buckets'],
  [`/analytics/v1/videos/${A}/hot-segments`, 'range.begin', 'range.end'],
  [`/analytics/v1/videos/${A}/quality`, 'bye', 'by'],
  ['/analytics/v1/quality', 'project', 'project_id'],
  ['/analytics/v1/dashboard', 'intervall', 'interval'],
  ['/analytics/v1/dashboard', 'timestart', 'time_start'],
  ['/analytics/v1/realtime', 'projects_id', 'project_id'],
  ['/analytics/v1/overview', 'video', 'video_id'],
  ['/analytics/v1/values', 'fields', 'field'],
]

const BODIES: [path: string, body: object, place: string, meant: string][] = [
  ['funnels', { steps: STEPS, time_windows: 2 }, 'body.time_windows', 'time_window'],
  ['funnels', { step: STEPS }, 'body.step', 'steps'],
  ['funnels', { steps: STEPS, ranges: {} }, 'body.ranges', 'range'],
  ['funnels', { steps: STEPS, range: { begin: '2026-11-01' } }, 'body.range.begin', 'end'],
  ['funnels', { steps: STEPS, range: { stat: '2026-11-01' } }, 'body.range.stat', 'start'],
  [
    'funnels',
    { steps: [...STEPS, { ...STEPS[0], filter: { page: 'feed' } }] },
    'body.steps[1].filter',
    'filters',
  ],
  ['funnels', { steps: [{ ...STEPS[0], page: 'feed' }] }, 'body.steps[0].page', 'name'],
  ['retention', { periods: 'week' }, 'body.periods', 'period'],
  ['retention', { range: { ended: '2026-11-01' } }, 'body.range.ended', 'end'],
]

test('a name that a report does not know is refused, and the nearest that it knows is named', async () => {
  const { api } = await withEvents([])
  for (const [path, wrong, meant] of QUERIES)
    expect((await api.get(`${path}?${wrong}=x`)).body, `${path} ${wrong}`).toEqual({
      code: 400,
      error: 'Bad Request',
      details: `query.${wrong}: is not known; did you mean "${meant}"?`,
    })
  for (const [path, body, place, meant] of BODIES)
    expect((await api.post(`/analytics/v1/${path}`, body)).body, JSON.stringify(body)).toMatchObject({
      code: 400,
      details: `${place}: is not known; did you mean "${meant}"?`,
    })
  for (const path of ['funnels', 'retention'])
    expect((await api.post(`/analytics/v1/${path}?strat=2026-11-01`, { steps: STEPS })).body.details).toMatch(
      /(query\.strat|body\.steps): is not known/,
    )
  const filters = { contry: 'DE' }
  expect((await api.post('/analytics/v1/funnels', { steps: [{ ...STEPS[0], filters }] })).body.details).toBe(
    'body.steps[0].filters.contry: content_view has no such field; did you mean "country"?',
  )
  // However long it is, it is looked for, and repeated, in part only.
  const endless = await api.post('/analytics/v1/funnels', { steps: STEPS, ['x'.repeat(500_000)]: 1 })
  expect(endless.status).toBe(400)
  expect(endless.body.details.length).toBeLessThan(300)
})

test('what a report does know is counted, by its other name too', async () => {
  const { api } = await withEvents(VIEWS)
  const wanted = await api.get(`/analytics/v1/top/videos${DAY}`)
  expect(wanted.body.videos).toHaveLength(2)
  const renamed = DAY.replace('start=', 'range.start=').replace('end=', 'range.end=')
  expect((await api.get(`/analytics/v1/top/videos${renamed}`)).body).toEqual(wanted.body)
  const both = `${DAY}&${renamed.slice(1)}`
  expect((await api.get(`/analytics/v1/top/videos${both}`)).body).toEqual(wanted.body)
  expect((await api.get(`/analytics/v1/top/videos${DAY}&range.start=1999-01-01`)).body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'query.range.start: is another name for start, which says something else',
  })
  const second = { videos: wanted.body.videos.slice(1) }
  for (const part of ['limit=1&offset=1', 'pagination.limit=1&pagination.offset=1'])
    expect((await api.get(`/analytics/v1/top/videos${DAY}&${part}`)).body, part).toEqual(second)
  const funnel = (query: string) => api.post(`/analytics/v1/funnels${query}`, { steps: STEPS })
  expect((await funnel(renamed)).body).toEqual((await funnel(DAY)).body)
  expect((await funnel('?range.start=1999-01-01&range.end=1999-01-02')).body.total_users).toBe(0)
})

test('the posts on top can be those of one feed', async () => {
  const { api } = await withEvents([
    ...VIEWS,
    view(at('10:00:00'), 'ann', { post_id: OTHER_POST, feed_id: OTHER_FEED, view_type: 'start' }),
    view(at('11:00:00'), 'bob', { post_id: OTHER_POST, feed_id: OTHER_FEED, view_type: 'start' }),
  ])
  const top = async (query: string) =>
    (await api.get(`/analytics/v1/top/posts${DAY}${query}`)).body.posts.map(
      (post: { post_id: string; total_views: number }) => [post.post_id, post.total_views],
    )
  expect(await top('')).toEqual([
    [OTHER_POST, 2],
    [POST, 1],
  ])
  expect(await top(`&feed_id=${FEED}`)).toEqual([[POST, 1]])
  expect(await top(`&feed_id=${OTHER_FEED}`)).toEqual([[OTHER_POST, 2]])
  expect(await top('&feed_id=feed_00000000000000000000000009')).toEqual([])
  expect((await api.get('/analytics/v1/top/posts?feed_id=mine')).body.details).toBe(
    'query.feed_id: is malformed',
  )
})
