import { randomBytes } from 'node:crypto'
import { newId } from '../../base/ids.ts'

/**
 * Places in a feed, in fractional indexing: texts that are compared as they are, between any two of which there is
 * another. A post's own place is its id; a place that it is moved to is longer than an id or as long, and never ends.
 */

const PREFIX = 'post_'
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const BITS = 5n
/** Digits of an id that are its time in milliseconds, and the random ones behind them. */
const OF_TIME = 10
const OF_CHANCE = 16
/**
 * Places are drawn out of so many at least: one that went into the trash with its post is not drawn a second time
 * while it is there.
 */
const CHANCE_BITS = 48

/** So many places between two others, lowest first. Where a bound is missing, they go beyond the other one. */
export function placesBetween(lower: string | undefined, upper: string | undefined, count: number): string[] {
  const [from, to] = boundsOf(lower, upper)
  let length = Math.max(from.length, to.length)
  let low = numberOf(from, length)
  let high = numberOf(to, length)
  if (low >= high) throw new Error('there is no place between these')
  const parts = BigInt(count + 1)
  while (high - low < parts << BigInt(CHANCE_BITS)) {
    length++
    low <<= BITS
    high <<= BITS
  }
  const step = (high - low) / parts
  return Array.from({ length: count }, (_, i) => {
    const chance = BigInt(`0x${randomBytes(CHANCE_BITS / 8).toString('hex')}`)
    // Within the middle of its part, so that there is room on both sides.
    const offset = -(step >> 2n) + ((step * chance) >> BigInt(CHANCE_BITS + 1))
    return PREFIX + textOf(low + step * BigInt(i + 1) + offset, length)
  })
}

const SECOND = 1000

/** The digits of both bounds. What goes to the top goes to where a new post would: places there do not run out. */
function boundsOf(lower: string | undefined, upper: string | undefined): [string, string] {
  const from = lower === undefined ? placeBelow(upper) : digitsOf(lower)
  if (upper !== undefined) return [from, digitsOf(upper)]
  const now = digitsOf(newId('post'))
  // Several in one millisecond, or another process's clock is ahead: still below what is made after it.
  return [from, now > from ? now : timeBeside(from, 1)]
}

function placeBelow(place: string | undefined): string {
  return place === undefined ? DIGITS[0]!.repeat(OF_TIME + OF_CHANCE) : timeBeside(digitsOf(place), -SECOND)
}

const digitsOf = (place: string) => place.slice(PREFIX.length)

function timeBeside(digits: string, milliseconds: number): string {
  const time = numberOf(digits.slice(0, OF_TIME), OF_TIME) + BigInt(milliseconds)
  return textOf(time < 0n ? 0n : time, OF_TIME) + DIGITS[0]!.repeat(OF_CHANCE)
}

/** The digits as a number, as if there were so many. */
function numberOf(digits: string, length: number): bigint {
  let number = 0n
  for (const digit of digits) number = (number << BITS) | BigInt(DIGITS.indexOf(digit))
  return number << (BITS * BigInt(length - digits.length))
}

function textOf(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest >>= BITS) text = DIGITS[Number(rest & 31n)] + text
  return text
}
