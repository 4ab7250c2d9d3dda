import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeIn } from '../../server/billing/schemes/scheme.ts'

const digits = (length: number, max: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, '0'))

/** Of the right form; which of them are times is the question. */
const written = fc
  .tuple(
    fc.oneof(
      digits(4, 9999),
      digits(2, 99).map((year) => `20${year}`),
    ),
    digits(2, 14),
    digits(2, 33),
    digits(2, 25),
    digits(2, 61),
    // Date knows no leap second, which is read as the next minute's first.
    digits(2, 61).filter((second) => second !== '60'),
    fc.oneof(
      fc.constant(''),
      digits(3, 999).map((part) => `.${part}`),
      digits(1, 9).map((part) => `.${part}`),
    ),
    fc.constantFrom('Z', 'z', '+00:00', '-05:30'),
  )
  .map(
    ([year, month, day, hour, minute, second, part, zone]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${part}${zone}`,
  )

/** Date reads the 30th of February as a day of March, and the 24th hour as the first of the next day. */
function isOfCalendar(text: string): boolean {
  const [year, month, day, hour] = text.split(/\D/).map(Number) as [number, number, number, number]
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && hour < 24
}

test('times are what reading them and writing them out again makes of them', () => {
  let plain = 0
  fc.assert(
    fc.property(written, (text) => {
      const ms = Date.parse(text)
      const isTime = isOfCalendar(text) && ms >= 0 && ms < Date.parse('9999-12-31T00:00:00Z')
      expect(timeIn(text)).toBe(isTime ? new Date(ms).toISOString() : undefined)
      if (timeIn(text) === text) plain++
    }),
    { numRuns: 20_000 },
  )
  expect(plain).toBeGreaterThan(100)
})

test.each([undefined, null, 7, '', 'tomorrow', '2026-11-16', '2026-11-16 10:00:00Z', '2026-11-16T10:00:00'])(
  '%j is no time',
  (value) => {
    expect(timeIn(value)).toBeUndefined()
  },
)
