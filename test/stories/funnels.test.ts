import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { A, API_ONLY, at, DAY, view, withEvents } from '../support/reported.ts'

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
      {
        step_name: 'session_start',
        user_count: 4,
        conversion_rate: 1,
        dropoff_rate: 0,
        average_time_hours: 0,
      },
      {
        step_name: 'content_view',
        user_count: 2,
        conversion_rate: 0.5,
        dropoff_rate: 0.5,
        average_time_hours: 0.5,
      },
      {
        step_name: 'content_view',
        user_count: 2,
        conversion_rate: 1,
        dropoff_rate: 0,
        average_time_hours: (0.25 + (1800 + 0.000001) / 3600) / 2,
      },
    ],
  })
  const within = (await funnel({ steps, time_window: 1 })).body
  expect([within.total_users, within.completed_users, within.average_time_hours]).toEqual([4, 1, 0.75])
  // Who drops off later counts for the steps that they got to.
  expect(within.steps.map((s: { average_time_hours: number }) => s.average_time_hours)).toEqual([
    0, 0.5, 0.25,
  ])
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
    steps: [
      { step_name: 'error', user_count: 0, conversion_rate: 0, dropoff_rate: 0, average_time_hours: 0 },
    ],
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
  expect(await refused({ steps: [step('error', { filters: { browsers: 'x' } })] })).toBe(
    'body.steps[0].filters.browsers: error has no such field; did you mean "browser"?',
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
