import { QUALITIES } from '../../platform/events/fields.ts'
import { type Escaped, MAX_DURATION } from '../../platform/events/line.ts'
import { durationOf } from '../durations.ts'
import {
  type Escape,
  escapeNothing,
  FieldProblem,
  type FieldType,
  fieldReaders,
  isObject,
  unknownField,
} from './read-field.ts'

/** A part of a video that somebody watched. */
export const SEGMENT = {
  start_ms: 'duration',
  end_ms: 'duration',
  speed: 'double',
  subtitle_language: 'text',
  audio_language: 'text',
  quality: QUALITIES,
  chapter_title: 'text',
} as const satisfies Record<string, FieldType>

const FIELDS = fieldReaders(SEGMENT)

export interface Segments {
  /** Microseconds that watching them took. */
  watched: number
  /** Where a part begins that was watched in one go, however its speed, quality or chapter changed meanwhile. */
  starts: number[]
  ends: number[]
  /** As JSON, in text. */
  json: Escaped
}

/** An engine reads rows by the thousand, and in a report all their segments at once. */
export const MAX_SEGMENTS = 500
const TOO_MANY = `at most ${MAX_SEGMENTS}; those that go on where the one before ends count as one`

/**
 * Checks segments. One that goes on where the one before it ends, and is the same in all else, becomes part of it:
 * a player that reports every second says no more than one that waits. For the heatmap it is enough that it goes on:
 * the second in which somebody changed the speed was watched once.
 */
export function readSegments(value: unknown, toJson: Escape): Segments | undefined {
  if (!Array.isArray(value)) throw new FieldProblem('segments', 'must be array')
  if (value.length === 0) return undefined
  const starts: number[] = []
  const ends: number[] = []
  const kept: Record<string, unknown>[] = []
  let watched = 0
  value.forEach((segment, i) => {
    try {
      check(segment, toJson)
    } catch (error) {
      throw error instanceof FieldProblem ? error.within(`segments[${i}]`) : error
    }
    const start = placeOf(segment.start_ms)
    const end = placeOf(segment.end_ms)
    if (end > start) watched += (end - start) / (segment.speed > 0 ? segment.speed : 1)
    const isNext = end > start && start === ends.at(-1) && start > starts.at(-1)!
    if (isNext) ends.pop()
    else starts.push(start)
    ends.push(end)
    const before = kept.at(-1)
    if (isNext && isAlike(before!, segment)) {
      kept[kept.length - 1] = { ...before, end_ms: segment.end_ms }
      return
    }
    if (kept.length === MAX_SEGMENTS) throw new FieldProblem('segments', TOO_MANY)
    kept.push(segment)
  })
  const json = JSON.stringify(kept, toJson === escapeNothing ? undefined : wellFormed)
  return {
    watched: Math.min(Math.round(watched), MAX_DURATION),
    starts,
    ends,
    json: JSON.stringify(json).slice(1, -1) as Escaped,
  }
}

const OTHERS = Object.keys(SEGMENT).filter((name) => !name.endsWith('_ms'))

function isAlike(before: Record<string, unknown>, segment: Record<string, unknown>): boolean {
  return OTHERS.every((name) => before[name] === segment[name])
}

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

function check(segment: unknown, toJson: Escape): void {
  if (!isObject(segment)) throw new FieldProblem('', 'must be object')
  for (const name in segment) {
    const field = FIELDS.get(name)
    if (!field) throw unknownField(name)
    field.read(segment[name], toJson)
  }
}

/** Where it is not said, it is the beginning. */
function placeOf(duration: string | undefined): number {
  return duration === undefined ? 0 : Math.min(durationOf(duration), MAX_DURATION)
}
