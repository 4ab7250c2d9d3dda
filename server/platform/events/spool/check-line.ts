import { isUtf8 } from 'node:buffer'
import { KINDS } from '../fields.ts'
import { type EventLine, readSeal } from '../line.ts'

/** What a line holds, or why it cannot be loaded. */
export type CheckedLine = { events: number } | { reason: string }

/** A request is 2 MiB at most; what is added to it on the way here makes it several times as long at worst. */
const MAX_LINE = 32 * 2 ** 20

/**
 * More segments than any event may be sent with today: lines of versions that had no limit may hold more than any
 * engine can read, since it reads the rows beside them in the same block.
 */
const MAX_SEGMENTS = 2000

/** Whether an engine can load a line: by its checksum, or, without one, by what is in it. */
export function checkLine(line: Buffer): CheckedLine {
  if (line.length > MAX_LINE) return { reason: 'it is too long' }
  const seal = readSeal(line)
  if (seal) return seal.isWhole ? seal : { reason: 'its checksum does not fit' }
  if (!isUtf8(line)) return { reason: 'it is not UTF-8' }
  const parsed = parseLine(line)
  if ('reason' in parsed) return parsed
  if (parsed.events.some(({ segment_starts = [] }) => segment_starts.length > MAX_SEGMENTS))
    return { reason: `an event has more than ${MAX_SEGMENTS} segments` }
  return { events: parsed.events.length }
}

/** What is in a line. A checksum that fits says only that it is as it was written, not that it was written right. */
export function parseLine(line: Buffer): EventLine | { reason: string } {
  try {
    const parsed: unknown = JSON.parse(line.toString())
    return isLine(parsed) ? parsed : { reason: 'it is not what a request is kept as' }
  } catch {
    return { reason: 'it is not JSON' }
  }
}

function isLine(line: unknown): line is EventLine {
  return (
    isObject(line) &&
    [line.organization, line.project].every(isText) &&
    [line.received, line.arrival].every(Number.isSafeInteger) &&
    [line.request, line.viewer].every(isMissingOr(isText)) &&
    isTexts(line.envelope) &&
    Array.isArray(line.events) &&
    line.events.every(isEvent)
  )
}

function isEvent(event: unknown): boolean {
  if (!isObject(event)) return false
  const { segment_starts: starts = [], segment_ends: ends = [] } = event
  return (
    Object.hasOwn(KINDS, String(event.kind)) &&
    Number.isSafeInteger(event.time) &&
    [event.viewer, event.video, event.segments].every(isMissingOr(isText)) &&
    [event.watched, event.duration].every(isMissingOr(Number.isSafeInteger)) &&
    isNumbers(starts) &&
    isNumbers(ends) &&
    starts.length === ends.length &&
    isTexts(event.fields)
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(Number.isSafeInteger)
}

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => isObject(value) && Object.values(value).every(isText)
const isMissingOr = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value)
