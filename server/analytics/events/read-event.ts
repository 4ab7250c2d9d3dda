import { idPattern } from '../../base/ids.ts'
import { timeOf } from '../../base/rfc3339.ts'
import { KIND_NAMES, KINDS, type Kind } from '../../platform/events/fields.ts'
import { eventWriter, MAX_DURATION, type ViewParts, type WrittenFields } from '../../platform/events/line.ts'
import { durationOf } from '../durations.ts'
import {
  type Escape,
  FieldProblem,
  type FieldReader,
  fieldReaders,
  isObject,
  unknownField,
} from './read-field.ts'
import { readSegments, type Segments } from './read-segments.ts'

type Fields = Record<string, unknown>

interface KindReader {
  kind: Kind
  fields: ReadonlyMap<string, FieldReader>
  write: ReturnType<typeof eventWriter>
  viewerOf: (member: Fields) => unknown
}

/** Of an event without a viewer from the envelope. No kind has two of them. */
const VIEWER_FIELDS = ['user_id', 'device_id', 'session_id'] as const

const READERS: ReadonlyMap<string, KindReader> = new Map(KIND_NAMES.map((kind) => [kind, readerOf(kind)]))
const ONE_OF = `must have exactly one of ${KIND_NAMES.join(', ')}`
const VIDEO_ID = new RegExp(idPattern('video'))

function readerOf(kind: Kind): KindReader {
  const field = VIEWER_FIELDS.find((name) => Object.hasOwn(KINDS[kind], name))
  return {
    kind,
    fields: fieldReaders(KINDS[kind]),
    write: eventWriter(kind),
    viewerOf: field ? (member) => member[field] : () => undefined,
  }
}

export interface Reading {
  toJson: Escape
  /** Microseconds since 1970: an event may not be later. */
  latest: number
  /** Whether the envelope says who the viewer is. */
  hasViewer: boolean
}

/** Checks an event, and answers it as the line has it. */
export function readEvent(event: unknown, reading: Reading): string {
  if (!isObject(event)) throw new FieldProblem('', 'must be object')
  let timestamp: unknown
  let reader: KindReader | undefined
  for (const name in event) {
    if (name === 'timestamp') timestamp = event[name]
    else if (reader) throw READERS.has(name) ? new FieldProblem('', ONE_OF) : unknownField(name)
    else {
      reader = READERS.get(name)
      if (!reader) throw unknownField(name)
    }
  }
  const time = readTimestamp(timestamp, reading.latest)
  if (!reader) throw new FieldProblem('', ONE_OF)
  try {
    return readMember(reader, time, event[reader.kind], reading)
  } catch (error) {
    throw error instanceof FieldProblem ? error.within(reader.kind) : error
  }
}

function readTimestamp(value: unknown, latest: number): number {
  if (value === undefined) throw new FieldProblem('timestamp', 'is required')
  const time = typeof value === 'string' ? timeOf(value) : Number.NaN
  if (Number.isNaN(time)) throw new FieldProblem('timestamp', 'must be a date-time of RFC 3339')
  if (time < 0) throw new FieldProblem('timestamp', 'must not be before 1970')
  if (time > latest) throw new FieldProblem('timestamp', 'must not be more than 24 hours ahead')
  return time
}

function readMember(
  { kind, fields, write, viewerOf }: KindReader,
  time: number,
  member: unknown,
  reading: Reading,
) {
  if (!isObject(member)) throw new FieldProblem('', 'must be object')
  const { toJson } = reading
  let text = ''
  let segments: Segments | undefined
  for (const name in member) {
    const field = fields.get(name)
    if (field !== undefined)
      text += (text === '' ? field.before : field.between) + field.read(member[name], toJson)
    else if (name === 'segments' && kind === 'content_view') segments = readSegments(member[name], toJson)
    else throw unknownField(name)
  }
  const viewer = reading.hasViewer ? undefined : viewerOf(member)
  const event = {
    time,
    viewer: viewer ? toJson(viewer as string) : undefined,
    fields: text as WrittenFields,
  }
  return write(event, kind === 'content_view' ? viewOf(member, segments, toJson) : undefined)
}

/** What reports count of a view. Its fields are checked. */
function viewOf(view: Fields, segments: Segments | undefined, toJson: Escape): ViewParts {
  const { content_id: id, content_type: type, watch_duration_ms, video_total_duration_ms } = view
  return {
    video: id && isVideo(id as string, type) ? toJson(id as string) : undefined,
    watched: lengthOf(watch_duration_ms) ?? segments?.watched,
    duration: lengthOf(video_total_duration_ms),
    segment_starts: segments?.starts,
    segment_ends: segments?.ends,
    segments: segments?.json,
  }
}

function isVideo(id: string, type: unknown): boolean {
  if (type === 'MEDIA_TYPE_VIDEO') return true
  return (type === undefined || type === 'MEDIA_TYPE_UNSPECIFIED') && VIDEO_ID.test(id)
}

function lengthOf(duration: unknown): number | undefined {
  return duration === undefined ? undefined : Math.min(durationOf(duration as string), MAX_DURATION)
}
