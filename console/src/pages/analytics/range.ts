import type { Interval } from '../../format.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

export const RANGES = ['24h', '7d', '28d', '90d', 'custom'] as const
type RangeName = (typeof RANGES)[number]

/** What the address says is looked at. */
export interface Looked {
  range: RangeName
  from: string
  to: string
  isCompared: boolean
  video: string
  feed: string
  country: string
}

export interface Period {
  start: string
  end: string
  interval: Interval
  /** How far back the period lies that it is compared with. */
  shift: number
  days: number
}

/** Addresses are typed and shared by people: what makes no sense in one is as if it was not there. */
export function readLooked(search: Record<string, unknown>): Looked {
  const text = (name: string) => (typeof search[name] === 'string' ? search[name] : '')
  const [from, to] = [text('from'), text('to')].sort() as [string, string]
  const range = RANGES.find((name) => name === search.range) ?? '28d'
  const isDated = isDay(from) && isDay(to)
  return {
    range: range === 'custom' && !isDated ? '28d' : range,
    from: isDated ? from : '',
    to: isDated ? to : '',
    isCompared: search.compare !== 'off',
    video: text('video'),
    feed: text('feed'),
    country: text('country'),
  }
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/**
 * Whole intervals of UTC up to this moment. The period before ends at the same time of day: a day that has only begun is
 * compared with as much of another one.
 */
export function periodOf(
  { range, from, to }: Pick<Looked, 'range' | 'from' | 'to'>,
  now = Date.now(),
): Period {
  if (range === '24h') {
    const start = Math.floor(now / HOUR) * HOUR - 23 * HOUR
    return { ...between(start, now), interval: 'hour', shift: DAY, days: 1 }
  }
  const today = Math.floor(now / DAY) * DAY
  const first = range === 'custom' ? Date.parse(from) : today - (Number.parseInt(range, 10) - 1) * DAY
  const last = range === 'custom' ? Date.parse(to) : today
  const days = Math.round((last - first) / DAY) + 1
  const end = last === today ? now : last + DAY - 1
  const interval = days <= 2 ? 'hour' : days <= 120 ? 'day' : days <= 730 ? 'week' : 'month'
  // Weeks are compared with whole weeks, so that their points lie above each other.
  const shift = interval === 'week' ? Math.ceil(days / 7) * 7 * DAY : days * DAY
  return { ...between(first, end), interval, shift, days }
}

export function periodBefore({ start, end, shift }: Period): { start: string; end: string } {
  return between(Date.parse(start) - shift, Date.parse(end) - shift)
}

const between = (start: number, end: number) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
})

/** A day as an address and an input of dates have it. */
export const dayOf = (at: string): string => at.slice(0, 10)
