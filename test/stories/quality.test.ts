import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'

const VIDEO = 'vid_01k9qxyzabcdefghjkmnpqrstv'
const OTHER = 'vid_01k9qxyzabcdefghjkmnpqrstw'

interface Told {
  play: string
  what: string
  x?: number
  y?: number
  video?: string
  day?: string
}

const told = ({ play, what, x, y, video = VIDEO, day = '02' }: Told) => ({
  timestamp: `2026-11-${day}T09:00:00Z`,
  interaction: {
    interaction_type: `playback_${what}`,
    element_type: 'video',
    element_id: video,
    session_id: play,
    click_x: x,
    click_y: y,
  },
})

const failed = (play: string) => ({
  timestamp: '2026-11-02T10:00:00Z',
  error: { error_type: 'playback', resource_type: 'video', resource_id: VIDEO, session_id: play },
})

test('how well a video played, and all of them, by day, country and browser', async () => {
  const { api } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const send = async (envelope: object, ...events: object[]) =>
    expect((await api.post('/analytics/v1/events', { ...envelope, events })).status).toBe(200)
  await send(
    { user_id: 'ann', country: 'DE', browser: 'Firefox' },
    told({ play: 'a', what: 'start', x: 300 }),
    told({ play: 'a', what: 'stall', x: 1000 }),
    told({ play: 'a', what: 'rung', x: 6000, y: 1080 }),
    told({ play: 'a', what: 'rung', x: 3000, y: 360 }),
    told({ play: 'a', what: 'frames', x: 5, y: 250 }),
    told({ play: 'b', what: 'start', x: 100, day: '03' }),
    // Of another video, and of no play at all.
    told({ play: 'c', what: 'start', x: 9000, video: OTHER }),
    { timestamp: '2026-11-02T09:00:00Z', interaction: { interaction_type: 'click', element_id: VIDEO } },
  )
  await send(
    { user_id: 'bob', country: 'FR', browser: 'Chrome' },
    told({ play: 'd', what: 'start', x: 500 }),
    failed('d'),
    failed('d'),
    failed('e'),
    // It says nothing: a start cannot have been before it was asked for.
    told({ play: 'd', what: 'start', x: -5 }),
  )
  const range = 'start=2026-11-02&end=2026-11-03'
  const ask = async (path: string) => (await api.get(`/analytics/v1/${path}`)).body
  const ofVideo = await ask(`videos/${VIDEO}/quality?${range}`)
  expect(ofVideo).toEqual({
    video_id: VIDEO,
    plays: 4,
    failed_plays: 2,
    failure_rate: 0.5,
    start_median_ms: 300,
    start_p95_ms: 500,
    stalled_share: 0.1,
    average_rung: 840,
    dropped_frame_rate: 0.02,
    groups: [],
  })
  expect(await ask(`quality?${range}`)).toMatchObject({ plays: 5, start_median_ms: 300, start_p95_ms: 9000 })

  const groups = async (by: string) =>
    (await ask(`videos/${VIDEO}/quality?${range}&by=${by}`)).groups.map(
      (group: { value: string; plays: number; failed_plays: number; start_median_ms: number }) => [
        group.value,
        group.plays,
        group.failed_plays,
        group.start_median_ms,
      ],
    )
  expect(await groups('day')).toEqual([
    ['2026-11-02', 3, 2, 300],
    ['2026-11-03', 1, 0, 100],
  ])
  expect(await groups('country')).toEqual([
    ['DE', 2, 0, 100],
    ['FR', 2, 2, 500],
  ])
  expect(await groups('browser')).toEqual([
    ['Chrome', 2, 2, 500],
    ['Firefox', 2, 0, 100],
  ])
  expect((await api.get(`/analytics/v1/quality?by=city`)).status).toBe(400)
})
