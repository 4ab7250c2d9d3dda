import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { isDay, startOfDay, startOfDaysAgo } from '../../console/src/days.ts'
import { type Period, periodBefore, periodOf, type RangeName, readRange } from '../../console/src/range.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const QUARTER = HOUR / 4
const RANGES = ['24h', '7d', '28d', '90d', 'custom'] as const
/** Clocks that change by an hour, by half of one, at midnight, in the other half of the year, and never. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Cairo',
  'Pacific/Kiritimati',
]
const own = process.env.TZ
afterEach(() => {
  if (own === undefined) delete process.env.TZ
  else process.env.TZ = own
})

const moment = fc.date({
  min: new Date('2015-01-01T00:00:00Z'),
  max: new Date('2035-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const dayText = (at: number) => new Date(at).toISOString().slice(0, 10)

/** What a clock on the wall says there, asked of the tables of time zones. */
function dayIn(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (at) => format.format(at)
}

/** The first quarter of an hour of a day in a place: each is tried. */
function firstOf(day: string, dayAt: (at: number) => string): number {
  for (let at = Date.parse(day) - 15 * HOUR; ; at += QUARTER) if (dayAt(at) === day) return at
}

test.each(ZONES)('a day begins when its first minute does: %s', (zone) => {
  process.env.TZ = zone
  const dayAt = dayIn(zone)
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 364 }), (now, days) => {
      const wanted = dayText(Date.parse(dayAt(now.getTime())) - days * DAY)
      const begins = firstOf(wanted, dayAt)
      expect(startOfDaysAgo(days, now).toISOString()).toBe(new Date(begins).toISOString())
      expect(startOfDay(wanted).getTime()).toBe(begins)
      const next = firstOf(dayText(Date.parse(wanted) + DAY), dayAt)
      expect(startOfDay(wanted, 1).getTime()).toBe(next)
    }),
    { numRuns: 60 },
  )
})

test('a week of filters across the change of the clocks begins at midnight', () => {
  process.env.TZ = 'America/New_York'
  // Clocks went back on the first of November.
  expect(startOfDaysAgo(6, new Date('2026-11-04T17:00:00Z')).toISOString()).toBe('2026-10-29T04:00:00.000Z')
})

test('a day is one that the calendar has', () => {
  for (const text of ['2026-11-17', '2028-02-29', '1999-12-31']) expect(isDay(text), text).toBe(true)
  for (const text of ['2026-02-29', '2026-02-31', '2026-13-01', '2026-00-10', '2026-1-1', '', '20261117'])
    expect(isDay(text), text).toBe(false)
})

/** Every day of UTC that has a part in it, found by stepping through it. */
function daysIn({ start, end }: { start: string; end: string }): string[] {
  const days: string[] = []
  for (let at = Date.parse(dayText(Date.parse(start))); at <= Date.parse(end); at += DAY)
    days.push(dayText(at))
  return days
}

const asked = fc.record({
  now: moment,
  range: fc.constantFrom<RangeName>(...RANGES),
  ago: fc.integer({ min: 0, max: 900 }),
  length: fc.integer({ min: 0, max: 900 }),
  zone: fc.constantFrom(...ZONES),
})

function lookedAt({ now, range, ago, length, zone }: typeof asked extends fc.Arbitrary<infer T> ? T : never) {
  process.env.TZ = zone
  const to = now.getTime() - ago * DAY
  const looked = { range, from: dayText(to - length * DAY), to: dayText(to) }
  return { looked, period: periodOf(looked, now.getTime()) }
}

test('a range is as many whole days of UTC as it says, up to now, wherever somebody is', () => {
  fc.assert(
    fc.property(asked, (one) => {
      const { looked, period } = lookedAt(one)
      const { now, ago } = one
      if (looked.range === '24h') {
        expect(Date.parse(period.start) % HOUR).toBe(0)
        expect(Math.ceil((now.getTime() + 1 - Date.parse(period.start)) / HOUR)).toBe(24)
        expect(period.end).toBe(now.toISOString())
        return
      }
      const days = daysIn(period)
      expect(period.start).toBe(`${days[0]}T00:00:00.000Z`)
      expect(days).toHaveLength(period.days)
      if (looked.range !== 'custom') expect(period.days).toBe(Number.parseInt(looked.range, 10))
      else expect([days[0], days.at(-1)]).toEqual([looked.from, looked.to])
      const isRunning = looked.range !== 'custom' || ago === 0
      expect(period.end).toBe(isRunning ? now.toISOString() : `${looked.to}T23:59:59.999Z`)
    }),
    { numRuns: 2000 },
  )
})

test('the period before is as long, ends at the same time of day, and no moment is in both', () => {
  fc.assert(
    fc.property(asked, (one) => {
      const { period } = lookedAt(one)
      const before = periodBefore(period)
      const length = ({ start, end }: { start: string; end: string }) => Date.parse(end) - Date.parse(start)
      expect(length(before)).toBe(length(period))
      expect(before.end.slice(10)).toBe(period.end.slice(10))
      expect(before.end < period.start).toBe(true)
      // A chart lays the points of both above each other: there are as many, each as long after the other.
      expect(pointsOf(before, period)).toEqual(
        pointsOf(period, period).map((at) => at - (Date.parse(period.start) - Date.parse(before.start))),
      )
      const between = Date.parse(period.start) - Date.parse(before.end)
      const gap = period.interval === 'week' ? 7 * DAY : DAY
      expect(between).toBeLessThanOrEqual(gap)
    }),
    { numRuns: 200 },
  )
})

/** Where a report of hours, days or weeks has its points: each hour is looked at. Months are not as long as each other. */
function pointsOf({ start, end }: { start: string; end: string }, { interval }: Period): number[] {
  if (interval === 'month') return []
  const begins: Record<'hour' | 'day' | 'week', (at: Date) => boolean> = {
    hour: () => true,
    day: (at) => at.getUTCHours() === 0,
    week: (at) => at.getUTCHours() === 0 && at.getUTCDay() === 1,
  }
  const points: number[] = []
  for (let at = Date.parse(start); at <= Date.parse(end); at += HOUR)
    if (begins[interval](new Date(at))) points.push(at)
  return points
}

test('an address that makes no sense is as if it said nothing', () => {
  const nothing = { range: '28d', from: '', to: '' }
  for (const search of [
    {},
    { range: 'year' },
    { range: 'custom', from: '2026-02-31', to: '2026-03-01' },
    { range: 'custom', from: '2026-02-01' },
    { range: ['7d'], from: {}, to: 3 },
  ])
    expect(readRange(search, RANGES)).toEqual(nothing)
  expect(readRange({ range: 'custom', from: '2026-03-01', to: '2026-02-01' }, RANGES)).toEqual({
    range: 'custom',
    from: '2026-02-01',
    to: '2026-03-01',
  })
})
