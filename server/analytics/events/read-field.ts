import type { Escaped } from '../../platform/events/line.ts'
import { durationOf, MAX_SECONDS } from '../durations.ts'

/** What is wrong with a request, and where: `content_view.view_type`. */
export class FieldProblem extends Error {
  readonly place: string

  constructor(place: string, what: string) {
    super(what)
    this.place = place
  }

  within(outer: string): FieldProblem {
    const inner = this.place === '' || this.place.startsWith('[') ? this.place : `.${this.place}`
    return new FieldProblem(outer + inner, this.message)
  }
}

/** Names come from outside and may be of any length. */
export function unknownField(name: string): FieldProblem {
  return new FieldProblem(name.slice(0, 100), 'is unknown')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes text as it is between the quotation marks of JSON. */
export type Escape = (text: string) => Escaped

/** For the texts of a body in which nothing is escaped: what JSON has as it is, it has as it is again. */
export const escapeNothing: Escape = (text) => text as Escaped

const SPECIAL = /["\\\x00-\x1f\ud800-\udfff]/

/**
 * For other texts. NUL is refused, as elsewhere: not everything that keeps text can keep it. Half a surrogate
 * pair is no text, and cannot be written as UTF-8; it becomes U+FFFD, as wherever text is encoded.
 */
export const escapeAny: Escape = (text) => {
  if (!SPECIAL.test(text)) return text as Escaped
  if (text.includes('\0')) throw new FieldProblem('', 'must not contain NUL')
  return JSON.stringify(text.toWellFormed()).slice(1, -1) as Escaped
}

export type FieldType = 'text' | 'duration' | 'double' | 'int32' | 'boolean' | readonly string[]

export interface FieldReader {
  /**
   * What stands before its value, as the first of an object and as a further one. All values are kept as text, so
   * that the quotation marks between two are written together: the fewer pieces, the faster.
   */
  before: string
  between: string
  /** Checks a value, and answers it as text for JSON. */
  read(value: unknown, toJson: Escape): string
}

/** Of texts in events: as long as a stack trace or a comment may be. */
export const MAX_TEXT = 16_384

export function fieldReaders(
  types: Readonly<Record<string, FieldType>>,
  maxText = MAX_TEXT,
): ReadonlyMap<string, FieldReader> {
  return new Map(
    Object.entries(types).map(([name, type]) => {
      const before = `"${name}":"`
      return [name, { before, between: `",${before}`, read: readOf(name, type, maxText) }]
    }),
  )
}

function readOf(name: string, type: FieldType, maxText: number): FieldReader['read'] {
  if (typeof type !== 'string') return choiceOf(name, type)
  if (type !== 'text') return (value) => READ[type](name, value)
  return (value, toJson) => {
    if (typeof value !== 'string') throw new FieldProblem(name, 'must be string')
    if (value.length > maxText && isLonger(value, maxText))
      throw new FieldProblem(name, `must not be longer than ${maxText} characters`)
    try {
      return toJson(value)
    } catch (error) {
      throw error instanceof FieldProblem ? error.within(name) : error
    }
  }
}

/** Characters as schemas count them, by code points. */
function isLonger(text: string, most: number): boolean {
  let count = 0
  for (const _ of text) if (++count > most) return true
  return false
}

function choiceOf(name: string, choices: readonly string[]): FieldReader['read'] {
  const known = new Set<unknown>(choices)
  return (value) => {
    if (!known.has(value)) throw new FieldProblem(name, `must be one of ${choices.join(', ')}`)
    return value as string
  }
}

/** Of any length: what has this form and is still refused is too long. */
const DURATION = /^\d+(\.\d{1,9})?s$/

const READ = {
  duration(name: string, value: unknown): string {
    if (typeof value !== 'string' || Number.isNaN(durationOf(value)))
      throw new FieldProblem(
        name,
        DURATION.test(String(value))
          ? `must be at most ${MAX_SECONDS}s`
          : 'must be seconds with up to nine further digits and an s, as in 12.345s',
      )
    return value
  },
  double(name: string, value: unknown): string {
    // A number too great for a double was read as infinity.
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new FieldProblem(name, 'must be number')
    return String(value)
  },
  int32(name: string, value: unknown): string {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw new FieldProblem(name, 'must be integer')
    if (value < -(2 ** 31) || value >= 2 ** 31) throw new FieldProblem(name, 'must fit into 32 bits')
    return String(value)
  },
  boolean(name: string, value: unknown): string {
    if (typeof value !== 'boolean') throw new FieldProblem(name, 'must be boolean')
    return String(value)
  },
}
