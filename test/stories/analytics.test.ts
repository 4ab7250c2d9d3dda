import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { A, API_ONLY, at, B, DAY, FEED, POST, VIEWS, view, withEvents } from '../support/reported.ts'
import { addMember, addTenant } from '../support/world.ts'

const UNKNOWN = '00000000000000000000000000'
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
