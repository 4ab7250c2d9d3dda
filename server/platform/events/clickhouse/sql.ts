import { DAY, EVEN, type Interval } from '../calendar.ts'
import type { EventScope, TimeRange } from '../port.ts'

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
}

const SPECIAL = /[\\'\0\b\t\n\f\r]/
const EACH_SPECIAL = new RegExp(SPECIAL, 'g')

/**
 * The one place where text is made safe, both in a statement and in rows of TabSeparated, which share their
 * escapes. Bound parameters would be better, and came to ClickHouse only after the oldest that we speak to.
 */
export function escaped(text: string): string {
  // Most text has nothing to escape, and looking is much cheaper than replacing.
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (character) => ESCAPES[character]!) : text
}

export function literal(value: string | number): string {
  if (typeof value === 'string') return `'${escaped(value)}'`
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) throw new RangeError(`${value} is not an Int64`)
  return `toInt64(${BigInt(value)})`
}

/** Only for names from our own tables. */
export function identifier(name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`${name} is not a name`)
  return `"${name}"`
}

export function isIn({ organization, project }: EventScope, { from, to }: TimeRange): string {
  const conditions = [
    `organization = ${literal(organization)}`,
    ...(project === undefined ? [] : [`project = ${literal(project)}`]),
    `time >= ${literal(from)}`,
    `time < ${literal(to)}`,
  ]
  return conditions.join(' AND ')
}

/** The number of a span, as calendar.ts counts, of the column `time`. */
export function bucketOf(interval: Interval): string {
  if (interval !== 'month') return quotient('time', EVEN[interval].length, EVEN[interval].shift)
  // By whole numbers only: functions for dates depend on a time zone and end in 2106. Years begin in March,
  // so that the leap day is the last, and 400 years (146097 days) are alike; day 719468 is 1970-01-01.
  const day = `(${quotient('time', DAY)} + 719468 AS day)`
  const era = `(intDiv(${day}, 146097) AS era)`
  const dayOfEra = `(day - ${era} * 146097 AS doe)`
  const yearOfEra = `(intDiv(${dayOfEra} - intDiv(doe, 1460) + intDiv(doe, 36524) - intDiv(doe, 146096), 365) AS yoe)`
  const dayOfYear = `(doe - (365 * ${yearOfEra} + intDiv(yoe, 4) - intDiv(yoe, 100)))`
  const monthFromMarch = `intDiv(5 * ${dayOfYear} + 2, 153)`
  return `(${monthFromMarch} + (yoe + era * 400 - 1970) * 12 + 2)`
}

/** Rounded down, also before 1970: ClickHouse rounds towards zero. */
function quotient(dividend: string, divisor: number, shift = 0): string {
  const below = 2n ** 60n / BigInt(divisor)
  return `(intDiv(${dividend} + ${below * BigInt(divisor) + BigInt(shift)}, ${divisor}) - ${below})`
}
