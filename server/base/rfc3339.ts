/**
 * Timestamps of RFC 3339, read letter by letter: each event has several, and a regular expression for each takes
 * longer than everything else that is done with the event.
 */

const ZERO = 48
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MINUTE = 60
const DAY = 86_400
const MICROSECONDS = 1_000_000

/** The digit at a place; NaN where there is none, which no comparison accepts. */
export function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - ZERO
  return value >= 0 && value <= 9 ? value : Number.NaN
}

function two(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1)
}

/**
 * Microseconds since 1970 of a date-time of RFC 3339, or NaN where it is none. Further digits are cut off. A leap
 * second is the first one of the next minute.
 */
export function timeOf(text: string): number {
  return read(text, MICROSECONDS)
}

/** The same in milliseconds, which are exact in every year. */
export function millisecondsOf(text: string): number {
  return read(text, 1000)
}

function read(text: string, perSecond: number): number {
  const minutes = two(text, 11) * 60 + two(text, 14)
  const seconds = two(text, 17)
  if (!(text.length >= 20 && isT(text, 10) && isColon(text, 13) && isColon(text, 16))) return Number.NaN
  if (!(two(text, 11) <= 23 && two(text, 14) <= 59 && seconds <= 60)) return Number.NaN
  let at = 19
  let fraction = 0
  if (text.charCodeAt(at) === 46) {
    const first = ++at
    for (let scale = perSecond / 10; digit(text, at) >= 0; at++, scale /= 10)
      if (scale >= 1) fraction += digit(text, at) * scale
    if (at === first) return Number.NaN
  }
  const offset = offsetOf(text, at)
  const ofDay = minutes - offset
  if (seconds === 60 && (ofDay + 1440) % 1440 !== 1439) return Number.NaN
  return (dayOf(text) * DAY + ofDay * MINUTE + seconds) * perSecond + fraction
}

/** Days since 1970 of the `YYYY-MM-DD` that a text begins with, or NaN. */
function dayOf(text: string): number {
  const year = two(text, 0) * 100 + two(text, 2)
  const month = two(text, 5)
  const day = two(text, 8)
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return Number.NaN
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month))) return Number.NaN
  // Counted in years that begin in March: the day that some of them have more is then their last.
  const marchYear = month > 2 ? year : year - 1
  const sinceMarch = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leaps = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leaps + sinceMarch - 719_468
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : DAYS_OF_MONTH[month - 1]!
}

/** Minutes that local time is ahead, from what is left of the text: `Z` or `+hh:mm`; else NaN. */
function offsetOf(text: string, at: number): number {
  const sign = text.charCodeAt(at)
  // Z, z
  if (sign === 90 || sign === 122) return text.length === at + 1 ? 0 : Number.NaN
  if ((sign !== 43 && sign !== 45) || text.length !== at + 6 || !isColon(text, at + 3)) return Number.NaN
  const hours = two(text, at + 1)
  const minutes = two(text, at + 4)
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN
  return sign === 43 ? hours * 60 + minutes : -(hours * 60 + minutes)
}

function isT(text: string, at: number): boolean {
  return (text.charCodeAt(at) | 32) === 116
}

function isColon(text: string, at: number): boolean {
  return text.charCodeAt(at) === 58
}

/** When the whole UTC day of a `YYYY-MM-DD` begins, in microseconds, or NaN. */
export function dayStartOf(text: string): number {
  return text.length === 10 ? dayOf(text) * DAY * MICROSECONDS : Number.NaN
}
