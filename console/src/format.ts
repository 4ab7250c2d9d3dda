const LANGUAGE = document.documentElement.lang || 'en'

const whole = new Intl.NumberFormat(LANGUAGE)
const short = new Intl.NumberFormat(LANGUAGE, { notation: 'compact', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: 1 })
const exact = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' })

export const formatNumber = (value: number): string => whole.format(value)
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
  return new Intl.NumberFormat(LANGUAGE, {
    style: 'unit',
    unit: BYTES[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  }).format(value)
}

/** Seconds as a clock shows them: 1:02:03. */
export function formatDuration(seconds: number): string {
  const total = Math.round(seconds)
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  const shown = parts[0]! > 0 ? parts : parts.slice(1)
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** The end of an id tells it apart; the whole is copied. */
export const shortId = (id: string): string => id.replace(/^([a-z]+_).*(.{6})$/, '$1…$2')
