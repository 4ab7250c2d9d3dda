import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationOf } from '../../server/analytics/durations.ts'
import { dayStartOf, millisecondsOf, timeOf } from '../../server/base/rfc3339.ts'

const MILLISECOND = 1000

test.each([
  ['1970-01-01T00:00:00Z', 0],
  ['1970-01-01t00:00:00.000001z', 1],
  ['2024-02-29T12:00:00+02:00', Date.UTC(2024, 1, 29, 10) * MILLISECOND],
  ['2026-11-15T12:34:56.1234569Z', Date.UTC(2026, 10, 15, 12, 34, 56) * MILLISECOND + 123_456],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1) * MILLISECOND],
  ['2017-01-01T00:29:60.5+00:30', Date.UTC(2017, 0, 1) * MILLISECOND + 500_000],
  ['0001-01-01T00:00:00-23:59', Date.parse('0001-01-01T23:59:00Z') * MILLISECOND],
])('%s is %d', (text, expected) => expect(timeOf(text)).toBe(expected))

test.each([
  '',
  '2026-11-15',
  '2026-11-15T12:34:56',
  '2026-11-15 12:34:56Z',
  '2026-11-15T12:34Z',
  '2026-11-15T24:00:00Z',
  '2026-11-15T12:60:00Z',
  '2026-11-15T12:00:60Z',
  '2026-11-15T12:34:56.Z',
  '2026-11-15T12:34:56+0100',
  '2026-11-15T12:34:56+24:00',
  '2026-11-15T12:34:56+01:60',
  '2026-11-15T12:34:56Zz',
  '2023-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '+026-01-01T00:00:00Z',
  '２026-01-01T00:00:00Z',
])('%j is no time', (text) => expect(timeOf(text)).toBeNaN())

test('agrees with Date for every moment', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(timeOf(date.toISOString())).toBe(date.getTime() * MILLISECOND)
        expect(millisecondsOf(date.toISOString())).toBe(date.getTime())
      },
    ),
    { numRuns: 5000 },
  )
})

test('a day is a date and nothing else', () => {
  expect(dayStartOf('2026-11-15')).toBe(Date.UTC(2026, 10, 15) * MILLISECOND)
  for (const text of ['2026-11-15T', '2026-11-1', '2026-02-30', '26-11-15', ''])
    expect(dayStartOf(text)).toBeNaN()
})

test.each([
  ['0s', 0],
  ['1s', 1_000_000],
  ['007.5s', 7_500_000],
  ['1.000000499s', 1_000_000],
  ['1.000000500s', 1_000_001],
  ['0.999999999s', 1_000_000],
  ['315576000000s', 315_576_000_000_000_000],
  ['315576000000.000000000s', 315_576_000_000_000_000],
])('%s takes %d', (text, expected) => expect(durationOf(text)).toBe(expected))

test.each([
  '',
  's',
  '1',
  '.5s',
  '1.s',
  '-1s',
  '+1s',
  '1.0000000001s',
  '1e3s',
  '1 s',
  '1s ',
  '1S',
  '1ms',
  '315576000001s',
  '315576000000.000000001s',
])('%j is no duration', (text) => expect(durationOf(text)).toBeNaN())
