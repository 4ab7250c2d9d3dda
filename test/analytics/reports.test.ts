import { expect, test } from 'vitest'
import { hotSegments } from '../../server/analytics/reports/heatmap.ts'
import { timeRange, timeText } from '../../server/analytics/reports/time-range.ts'

const NOW = Date.parse('2026-11-15T13:37:00Z')

const rangeOf = (...asked: Parameters<typeof timeRange>[1][]) => {
  const { from, to } = timeRange(NOW, ...asked)
  return [timeText(from), timeText(to)]
}

test.each([
  [{}, '2026-10-17T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  [{ start: '', end: '' }, '2026-10-17T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  [{ start: '2026-11-01', end: '2026-11-01' }, '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
  [{ end: '2026-03-31' }, '2026-03-02T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
  [{ start: '2026-01-01' }, '2026-01-01T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  [
    { start: '2026-01-01T00:00:00+01:00', end: '2026-01-01T00:00:00Z' },
    '2025-12-31T23:00:00.000Z',
    '2026-01-01T00:00:00.000001Z',
  ],
  [
    { start: '2026-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' },
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000001Z',
  ],
])('%o is from %s to before %s', (asked, from, to) => expect(rangeOf(asked)).toEqual([from, to]))

test('what one place leaves out comes from the next', () => {
  expect(rangeOf({ start: '2026-11-02' }, { start: '2026-11-01', end: '2026-11-03' })).toEqual([
    '2026-11-02T00:00:00.000Z',
    '2026-11-04T00:00:00.000Z',
  ])
  expect(rangeOf(undefined, { end: '2026-11-03' })[1]).toBe('2026-11-04T00:00:00.000Z')
})

test.each([
  [{ start: '2026-11-02', end: '2026-11-01' }, 'start: must not be after end'],
  [{ start: '2026-11-01T00:00:01Z', end: '2026-11-01T00:00:00Z' }, 'start: must not be after end'],
  [{ start: '2026-12-01' }, 'start: must not be after end'],
  [{ start: '2026-02-30' }, 'start: must be a date (YYYY-MM-DD) or a date-time of RFC 3339'],
  [{ end: 'today' }, 'end: must be a date (YYYY-MM-DD) or a date-time of RFC 3339'],
  [{ end: '1763164800' }, 'end: must be a date (YYYY-MM-DD) or a date-time of RFC 3339'],
])('%o: %s', (asked, details) => expect(() => rangeOf(asked)).toThrow(details))

test('hot are the seconds that are watched one and a half times as often as the average one', () => {
  expect(hotSegments([])).toEqual([])
  expect(hotSegments([0, 0])).toEqual([])
  expect(hotSegments([2, 2, 2])).toEqual([])
  // On average 2: from 3 on.
  expect(hotSegments([3, 1, 2, 2])).toEqual([{ start_second: 0, end_second: 1, multiplier: 1.5 }])
  expect(hotSegments([0, 4, 6, 0, 0, 2, 0, 4])).toEqual([
    { start_second: 1, end_second: 3, multiplier: 2.5 },
    { start_second: 7, end_second: 8, multiplier: 2 },
  ])
})
