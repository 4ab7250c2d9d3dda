import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDuration, formatTimecode, parseTimecode } from '../../console/src/timecode.ts'

/** A clock that is wound on second by second is too slow; one that is read digit by digit is not. */
function secondsOn(clock: string): number {
  const [seconds, minutes = '0', hours = '0'] = clock.split(':').reverse()
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

test('a timecode says the time to a tenth, and is understood as that', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 400_000, noNaN: true }), (seconds) => {
      const text = formatTimecode(seconds)
      expect(text).toMatch(/^(\d+:[0-5]\d|[0-5]?\d):[0-5]\d(\.[1-9])?$/)
      expect(Math.abs(secondsOn(text) - seconds)).toBeLessThanOrEqual(0.05 + 1e-6)
      expect(parseTimecode(text)).toBeCloseTo(secondsOn(text), 6)
      expect(Math.abs(secondsOn(formatDuration(seconds)) - seconds)).toBeLessThanOrEqual(0.5)
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['0:00', 0],
  [' 62,5 ', 62.5],
  ['1:02.5', 62.5],
  ['1:00:02', 3602],
  ['.5', 0.5],
  ['', undefined],
  ['1:', undefined],
  ['1:2:3:4', undefined],
  ['-1:00', undefined],
  ['1.5:00', undefined],
  ['1e3', undefined],
  ['soon', undefined],
])('%j is %s', (text, seconds) => expect(parseTimecode(text)).toBe(seconds))
