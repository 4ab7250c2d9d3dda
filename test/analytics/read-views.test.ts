import { expect, test } from 'vitest'
import type { StoredEvent } from '../../server/platform/events/line.ts'
import { at, lineOf } from './lines.ts'

test('the viewer is the envelope’s, else the event’s own; empty ones are none', () => {
  const events = [
    { ...at, session_start: { user_id: 'u' } },
    { ...at, content_view: { device_id: 'd' } },
    { ...at, interaction: { session_id: 's' } },
    { ...at, error: { session_id: '' } },
    { ...at, engagement: {} },
  ]
  const viewers = (line: { viewer?: string; events: StoredEvent[] }) => [
    line.viewer,
    ...line.events.map(({ viewer }) => viewer),
  ]
  expect(viewers(lineOf({ events }))).toEqual([undefined, 'u', 'd', 's', undefined, undefined])
  expect(viewers(lineOf({ user_id: '', events }))).toEqual([undefined, 'u', 'd', 's', undefined, undefined])
  expect(viewers(lineOf({ user_id: 'me', events }))).toEqual(['me', ...Array(5).fill(undefined)])
})

const view = (fields: object) => lineOf({ events: [{ ...at, content_view: fields }] }).events[0]!
const ID = 'vid_01k9abcdefghjkmnpqrstvwxyz'

test('a view is of a video by its type, or by its id where it has none', () => {
  const videoOf = (content_id?: string, content_type?: string) => view({ content_id, content_type }).video
  expect(videoOf('anything', 'MEDIA_TYPE_VIDEO')).toBe('anything')
  expect(videoOf('', 'MEDIA_TYPE_VIDEO')).toBeUndefined()
  expect(videoOf(undefined, 'MEDIA_TYPE_VIDEO')).toBeUndefined()
  expect(videoOf(ID)).toBe(ID)
  expect(videoOf(ID, 'MEDIA_TYPE_UNSPECIFIED')).toBe(ID)
  expect(videoOf(ID, 'MEDIA_TYPE_IMAGE')).toBeUndefined()
  expect(videoOf('anything')).toBeUndefined()
})

test('segments that go on are one, and a second apart they are not', () => {
  const beats = (count: number, more: (i: number) => object = () => ({})) =>
    Array.from({ length: count }, (_, i) => ({ start_ms: `${i}s`, end_ms: `${i + 1}s`, ...more(i) }))
  const whole = view({ segments: beats(3600, () => ({ speed: 2, chapter_title: 'One' })) })
  expect(whole.segment_starts).toEqual([0])
  expect(whole.segment_ends).toEqual([3600e6])
  expect(whole.watched).toBe(1800e6)
  expect(JSON.parse(whole.segments!)).toEqual([
    { start_ms: '0s', end_ms: '3600s', speed: 2, chapter_title: 'One' },
  ])
  // In another manner they are two, and were yet watched in one go.
  const faster = view({ segments: beats(8, (i) => ({ speed: i < 4 ? 1 : 2 })) })
  expect([faster.segment_starts, faster.segment_ends]).toEqual([[0], [8e6]])
  expect(JSON.parse(faster.segments!)).toEqual([
    { start_ms: '0s', end_ms: '4s', speed: 1 },
    { start_ms: '4s', end_ms: '8s', speed: 2 },
  ])
  // Going back to where one began is watching it again.
  const again = [...beats(2), ...beats(2), { start_ms: '2s', end_ms: '2s' }, { start_ms: '2s', end_ms: '3s' }]
  expect(view({ segments: again }).segment_ends).toEqual([2e6, 2e6, 2e6, 3e6])
})

test('time watched is what the view says, else what its segments took', () => {
  expect(view({ watch_duration_ms: '1.5s', segments: [{ start_ms: '0s', end_ms: '9s' }] }).watched).toBe(
    1_500_000,
  )
  expect(view({ segments: [] }).watched).toBeUndefined()
  const segments = [
    { start_ms: '1s', end_ms: '4s', speed: 1.5 },
    { end_ms: '2s' },
    { start_ms: '5s' },
    { start_ms: '9s', end_ms: '8s' },
    { start_ms: '0s', end_ms: '0.000001s', speed: 3 },
    { start_ms: '0s', end_ms: '1s', speed: 0 },
    { start_ms: '0s', end_ms: '1s', speed: -2 },
  ]
  const kept = view({ segments, video_total_duration_ms: '10.0000005s' })
  expect(kept.watched).toBe(6_000_000)
  expect(kept.duration).toBe(10_000_001)
  expect(kept.segment_starts).toEqual([1e6, 0, 5e6, 9e6, 0, 0, 0])
  expect(kept.segment_ends).toEqual([4e6, 2e6, 0, 8e6, 1, 1e6, 1e6])
  const long = view({
    watch_duration_ms: '315576000000s',
    segments: [{ end_ms: '315576000000s', speed: 1e-300 }],
  })
  expect(long.watched).toBe(8_640_000_000_000)
  expect(long.segment_ends).toEqual([8_640_000_000_000])
  expect(view({ segments: [{ end_ms: '1s', speed: 1e-300 }] }).watched).toBe(8_640_000_000_000)
})
