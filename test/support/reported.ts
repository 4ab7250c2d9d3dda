import { expect } from 'vitest'
import { composeForTest } from './in-process.ts'

export const API_ONLY = { env: { MARQUEE_ROLES: 'api' } }
export const A = 'vid_01k9aaaaaaaaaaaaaaaaaaaaaa'
export const B = 'vid_01k9bbbbbbbbbbbbbbbbbbbbbb'
export const POST = 'post_01k9aaaaaaaaaaaaaaaaaaaaaa'
export const FEED = 'feed_01k9aaaaaaaaaaaaaaaaaaaaaa'
export const DAY = '?start=2026-11-02&end=2026-11-02'

/** Monday, 2 November 2026, at a time of day. */
export const at = (time: string, day = '2026-11-02') => `${day}T${time}Z`

export const view = (time: string, device_id: string, fields: object) => ({
  timestamp: time,
  content_view: { content_type: 'MEDIA_TYPE_VIDEO', device_id, ...fields },
})

/** A service that was told of these. */
export async function withEvents(events: object[], clock?: () => number) {
  const service = await composeForTest({ ...API_ONLY, clock })
  expect((await service.api.post('/analytics/v1/events', { events })).status).toBe(200)
  return service
}

/** Ann watches A to its end and starts B; Bob goes on with A twice; nobody known starts A. */
export const VIEWS = [
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
