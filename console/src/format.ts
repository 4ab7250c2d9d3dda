import type { Interval } from './range.ts'

const LANGUAGE = document.documentElement.lang || 'en'

const whole = new Intl.NumberFormat(LANGUAGE)
const short = new Intl.NumberFormat(LANGUAGE, { notation: 'compact', maximumFractionDigits: 1 })
const decimal = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 })
const share = new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: 1 })
const exact = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' })

export const formatNumber = (value: number): string => whole.format(value)
/** With as many as two places. */
export const formatDecimal = (value: number): string => decimal.format(value)
export const formatCompact = (value: number): string => short.format(value)
export const formatShare = (value: number): string => share.format(value)
export const formatTime = (at: string | Date): string => exact.format(new Date(at))
export const formatDay = (at: string | Date): string => day.format(new Date(at))

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
]

/** As people say it: "3 hours ago". */
export function formatAgo(at: string | Date, now = Date.now()): string {
  let value = (new Date(at).getTime() - now) / 1000
  for (const [unit, size] of STEPS) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit)
    value /= size
  }
  return formatDay(at)
}

const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), BYTES.length - 1)
  const value = bytes / 1000 ** power
  return unitsOf(BYTES[power]!, value < 10 && power > 0 ? 1 : 0, power === 0 ? 'long' : 'short').format(value)
}

const units = new Map<string, Intl.NumberFormat>()

/** Kept: making one takes longer than all the rest of a card in the library. */
function unitsOf(unit: string, digits: number, unitDisplay: 'short' | 'long' = 'short'): Intl.NumberFormat {
  const name = `${unit} ${digits} ${unitDisplay}`
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const
  const format = units.get(name) ?? new Intl.NumberFormat(LANGUAGE, options)
  units.set(name, format)
  return format
}

/** The end of an id tells it apart; the whole is copied. */
export const shortId = (id: string): string => id.replace(/^([a-z]+_).*(.{6})$/, '$1…$2')

const change = new Intl.NumberFormat(LANGUAGE, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})
const hours = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 1 })
const countries = new Intl.DisplayNames(LANGUAGE, { type: 'region' })

/** By how much something has grown, or with a minus shrunk. */
export const formatChange = (value: number): string => change.format(value)

export const formatHours = (milliseconds: number): string => hours.format(milliseconds / 3_600_000)

/** A code of two letters by its name; anything else as it is. */
export function formatCountry(code: string): string {
  return (/^[A-Z]{2}$/.test(code) && countries.of(code)) || code
}

const SPANS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** A length of time in the largest unit that it has one of: "3.2 minutes". */
export function formatSpan(seconds: number): string {
  const [unit, size] = SPANS.find(([, size]) => seconds >= size) ?? ['second', 1]
  return unitsOf(unit, unit === 'second' ? 2 : 1).format(seconds / size)
}

export const formatHourSpan = (hours: number): string => formatSpan(hours * 3600)

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LANGUAGE, { timeZone: 'UTC', ...options })
const utcTimes = {
  hour: utc({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  day: utc({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  week: utc({ day: 'numeric', month: 'short', year: 'numeric' }),
  month: utc({ month: 'long', year: 'numeric' }),
} satisfies Record<Interval, Intl.DateTimeFormat>
const utcTicks = {
  hour: utc({ hour: '2-digit', minute: '2-digit' }),
  day: utc({ day: 'numeric', month: 'short' }),
  week: utc({ day: 'numeric', month: 'short' }),
  month: utc({ month: 'short', year: 'numeric' }),
}

/** When an interval of a report begins, as UTC has it. */
export const formatInterval = (at: string | number, interval: Interval): string =>
  utcTimes[interval].format(new Date(at))

/** The same beside an axis, where there is little room. */
export const formatTick = (at: number, interval: Interval): string => utcTicks[interval].format(new Date(at))
