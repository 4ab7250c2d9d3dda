import { expect, test } from 'vitest'
import { foundChapters, toChapters } from '../../server/videos/chapters/to-chapters.ts'

test.each([
  [0, 59.9994, '00:59'],
  [0, 59.9996, '01:00'],
  [0.1, 0.3 + 60, '01:00'],
  [10, 10 + 75 * 60 + 3, '75:03'],
  [0, 36_000, '600:00'],
])('from %s to %s is %s', (start, end, label) => {
  expect(toChapters([{ title: 'x', start_time_sec: start }], end)[0]!.duration_label).toBe(label)
})

test('chapters found in a file are made sense of', () => {
  const found = [
    { title: 'second\u0000', start: 5, end: 99 },
    { title: '', start: 0, end: 5 },
    { title: 'after the end', start: 10, end: 12 },
    { title: 'before the start', start: -3, end: 1 },
    { title: 'backwards', start: 4, end: 3 },
    { title: 'no number', start: Number.NaN, end: 3 },
  ]
  expect(foundChapters(found, 10)).toEqual([
    { title: 'Chapter 1', start_time_sec: 0, end_time_sec: 5, duration_label: '00:05' },
    { title: 'second', start_time_sec: 5, end_time_sec: 10, duration_label: '00:05' },
  ])
})
