import { expect, test } from 'vitest'
import { foundChapters, toChapters, withoutChapter } from '../../server/videos/chapters/to-chapters.ts'

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

test('where one chapter is taken out, the one before it goes on, unless there was a pause between them', () => {
  const three = toChapters(
    [0, 60, 90].map((start_time_sec) => ({ title: `from ${start_time_sec}`, start_time_sec })),
    200,
  )
  const spans = (chapters: typeof three) =>
    chapters.map(({ start_time_sec, end_time_sec, duration_label }) => [
      start_time_sec,
      end_time_sec,
      duration_label,
    ])
  expect(spans(withoutChapter(three, 0, 200))).toEqual([
    [60, 90, '00:30'],
    [90, 200, '01:50'],
  ])
  expect(spans(withoutChapter(three, 1, 200))).toEqual([
    [0, 90, '01:30'],
    [90, 200, '01:50'],
  ])
  expect(spans(withoutChapter(three, 2, 200))).toEqual([
    [0, 60, '01:00'],
    [60, 200, '02:20'],
  ])
  expect(withoutChapter(three.slice(0, 1), 0, 200)).toEqual([])
  const apart = toChapters(
    [
      { title: 'a', start_time_sec: 0, end_time_sec: 10 },
      { title: 'b', start_time_sec: 20, end_time_sec: 30 },
      { title: 'c', start_time_sec: 40, end_time_sec: 50 },
    ],
    60,
  )
  expect(withoutChapter(apart, 1, 60)).toEqual([apart[0], apart[2]])
})
