import { badRequest } from '../../base/errors.ts'
import { dayStartOf, timeOf } from '../../base/rfc3339.ts'
import { DAY } from '../../platform/events/calendar.ts'
import type { TimeRange } from '../../platform/events/port.ts'

export interface AskedRange {
  start?: string
  end?: string
}

const DEFAULT_DAYS = 30

/**
 * The range that was asked for, of several places the first that says anything: empty text says nothing. The end is
 * by default that of today; the start is 30 days before the end.
 */
export function timeRange(now: number, ...asked: (AskedRange | undefined)[]): TimeRange {
  const start = asked.find((one) => one?.start)?.start
  const end = asked.find((one) => one?.end)?.end
  const to = end === undefined ? startOfDay(now * 1000) + DAY : endOf(end)
  const from = start === undefined ? to - DEFAULT_DAYS * DAY : startOf(start)
  if (from >= to) throw badRequest('start: must not be after end')
  return { from, to }
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY
}

function startOf(text: string): number {
  const day = dayStartOf(text)
  return Number.isNaN(day) ? momentOf('start', text) : day
}

/** Both are inclusive: the first microsecond after. */
function endOf(text: string): number {
  const day = dayStartOf(text)
  return Number.isNaN(day) ? momentOf('end', text) + 1 : day + DAY
}

function momentOf(name: string, text: string): number {
  const time = timeOf(text)
  if (Number.isNaN(time)) throw badRequest(`${name}: must be a date (YYYY-MM-DD) or a date-time of RFC 3339`)
  return time
}

/** As RFC 3339, with as many digits as it needs, but at least milliseconds. */
export function timeText(time: number): string {
  const text = new Date(Math.floor(time / 1000)).toISOString()
  const micros = time % 1000
  return micros === 0 ? text : text.replace('Z', `${String(micros).padStart(3, '0')}Z`)
}
