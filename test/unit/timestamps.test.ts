import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRfc3339 } from '../../server/platform/postgres/columns.ts'

test.each([
  ['2026-11-15 12:34:56+00', '2026-11-15T12:34:56.000Z'],
  ['2026-11-15 12:34:56.7+00', '2026-11-15T12:34:56.700Z'],
  ['2026-11-15 12:34:56.789123+00', '2026-11-15T12:34:56.789Z'],
  ['2026-11-15 14:34:56.7+02', '2026-11-15T12:34:56.700Z'],
])('%s is %s', (printed, expected) => expect(toRfc3339(printed)).toBe(expected))

test('agrees with Date for every moment', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
      (date) => {
        const printed = date
          .toISOString()
          .replace('T', ' ')
          .replace('Z', '+00')
          .replace(/\.?0+\+/, '+')
        fc.pre(/:\d\d(\.\d+)?\+/.test(printed))
        expect(toRfc3339(printed)).toBe(date.toISOString())
      },
    ),
  )
})
