import { QUALITIES } from '../../platform/events/fields.ts'
import { MAX_DURATION } from '../../platform/events/line.ts'
import { durationOf } from '../moments.ts'
import {
  type Escape,
  escapeNothing,
  fieldReaders,
  isObject,
  Problem,
  type Type,
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
} as const satisfies Record<string, Type>

const FIELDS = fieldReaders(SEGMENT)

export interface Segments {
  /** Microseconds that watching them took. */
  watched: number
  /** As line.ts has them. */
  text: string
}

export function readSegments(value: unknown, toJson: Escape): Segments | undefined {
  if (!Array.isArray(value)) throw new Problem('segments', 'must be array')
  if (value.length === 0) return undefined
  const starts: number[] = []
  const ends: number[] = []
  let watched = 0
  value.forEach((segment, i) => {
    try {
      check(segment, toJson)
    } catch (error) {
      throw error instanceof Problem ? error.within(`segments[${i}]`) : error
    }
    const start = placeOf(segment.start_ms)
    const end = placeOf(segment.end_ms)
    starts.push(start)
    ends.push(end)
    if (end > start) watched += (end - start) / (segment.speed > 0 ? segment.speed : 1)
  })
  const kept = JSON.stringify(JSON.stringify(value, toJson === escapeNothing ? undefined : wellFormed))
  return {
    watched: Math.min(Math.round(watched), MAX_DURATION),
    text: `,"segment_starts":[${starts}],"segment_ends":[${ends}],"segments":${kept}`,
  }
}

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

function check(segment: unknown, toJson: Escape): void {
  if (!isObject(segment)) throw new Problem('', 'must be object')
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
