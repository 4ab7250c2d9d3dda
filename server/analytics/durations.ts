import { digit } from '../base/rfc3339.ts'

const SECOND = 1_000_000

/** What protocol buffers call a duration goes up to here: about 10,000 years. */
export const MAX_SECONDS = 315_576_000_000

/** Microseconds of `12.345s`, rounded to whole ones, or NaN: seconds with up to nine further digits. */
export function durationOf(text: string): number {
  const last = text.length - 1
  let at = 0
  let seconds = 0
  for (; digit(text, at) >= 0; at++) seconds = seconds * 10 + digit(text, at)
  if (at === 0) return Number.NaN
  let fraction = 0
  if (text.charCodeAt(at) === 46) {
    const first = ++at
    for (let scale = 100_000; digit(text, at) >= 0; at++, scale /= 10) fraction += digit(text, at) * scale
    if (at === first || at - first > 9) return Number.NaN
  }
  // s
  if (at !== last || text.charCodeAt(at) !== 115) return Number.NaN
  if (seconds > MAX_SECONDS || (seconds === MAX_SECONDS && fraction > 0)) return Number.NaN
  return seconds * SECOND + Math.round(fraction)
}
