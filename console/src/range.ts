import { isDay } from './days.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/** What the points of a report stand for. */
export type Interval = 'hour' | 'day' | 'week' | 'month'

export type RangeName = '24h' | '7d' | '28d' | '90d' | 'all' | 'custom'

/** Which time is looked at. */
export interface Range {
  range: RangeName
  /** Days, of a custom range. */
  from: string
  to: string
}

export interface Period {
  start: string
  end: string
  interval: Interval
  /** How far back the period lies that it is compared with. */
  shift: number
  days: number
}

/** What an address says of it. Addresses are typed by people: what makes no sense is as if it was not there. */
export function readRange(search: Record<string, unknown>, ranges: readonly RangeName[]): Range {
  const text = (name: string) => (typeof search[name] === 'string' ? search[name] : '')
  const [from, to] = [text('from'), text('to')].sort() as [string, string]
  const range = ranges.find((name) => name === search.range) ?? '28d'
  const isDated = isDay(from) && isDay(to)
  return {
    range: range === 'custom' && !isDated ? '28d' : range,
    from: isDated ? from : '',
    to: isDated ? to : '',
  }
}

/**
 * Whole intervals of UTC up to this moment. The period before ends at the same time of day: a day that has only begun is
 * compared with as much of another one.
 */
export function periodOf({ range, from, to }: Range, now = Date.now()): Period {
  if (range === '24h') {
    const start = Math.floor(now / HOUR) * HOUR - 23 * HOUR
    return { ...between(start, now), interval: 'hour', shift: DAY, days: 1 }
  }
  const today = Math.floor(now / DAY) * DAY
  const first = firstOf({ range, from }, today)
  const last = range === 'custom' ? Date.parse(to) : today
  const days = Math.round((last - first) / DAY) + 1
  const end = last === today ? now : last + DAY - 1
  const interval = days <= 2 ? 'hour' : days <= 120 ? 'day' : days <= 730 ? 'week' : 'month'
  // Weeks are compared with whole weeks, so that their points lie above each other.
  const shift = interval === 'week' ? Math.ceil(days / 7) * 7 * DAY : days * DAY
  return { ...between(first, end), interval, shift, days }
}

function firstOf({ range, from }: Pick<Range, 'range' | 'from'>, today: number): number {
  if (range === 'custom') return Date.parse(from)
  return range === 'all' ? 0 : today - (Number.parseInt(range, 10) - 1) * DAY
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
