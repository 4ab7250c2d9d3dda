import { crc32 } from 'node:zlib'
import type { Kind } from './fields.ts'

/** One request's events as they are in the spool: a line of JSON. */
export interface EventLine {
  organization: string
  project: string
  /** When it came, in milliseconds since 1970. */
  received: number
  /** The place of its first event in the order of arrival; the next event has the next. */
  arrival: number
  /** Of a request with an Idempotency-Key: the same for the same key and body. Counts once a day. */
  request?: string
  /** The request's `user_id`: the viewer of all its events. */
  viewer?: string
  /** Fields of the envelope, as text. */
  envelope: Record<string, string>
  events: StoredEvent[]
}

/** An event flattened: what reports need, and every field of its kind, as text under its own name. */
export interface StoredEvent extends StoredView {
  kind: Kind
  /** Microseconds since 1970, never before. */
  time: number
  /** Where the line has none. */
  viewer?: string
  fields: Record<string, string>
}

/** What reports count of a view. */
export interface StoredView {
  /** The video that it counts for. */
  video?: string
  /** Microseconds. */
  watched?: number
  duration?: number
  segment_starts?: number[]
  segment_ends?: number[]
  /** Its segments as JSON. */
  segments?: string
}

/** How long the same request with an Idempotency-Key counts once, in milliseconds. */
export const ONCE_WITHIN = 24 * 3600 * 1000

/** No length of media that anybody plays is greater; what is, counts as this. Microseconds. */
export const MAX_DURATION = 100 * 24 * 3600 * 1_000_000

declare const written: unique symbol

/** Text as it is between the quotation marks of JSON. */
export type Escaped = string & { [written]: 'text' }
/** The inside of an object whose values are all text, without the last quotation mark: one piece fewer to write. */
export type WrittenFields = string & { [written]: 'fields' }
/** The inside of a list of events. */
export type WrittenEvents = string & { [written]: 'events' }

/** What is to be written of a value; the compiler tells text that is escaped from text that is not. */
type Written<T> = T extends StoredEvent[]
  ? WrittenEvents
  : T extends Record<string, string>
    ? WrittenFields
    : T extends Kind
      ? T
      : T extends string
        ? Escaped
        : T

type SpooledParts<T> = { [K in keyof T]: Written<T[K]> }

export type LineParts = SpooledParts<EventLine>
type EventParts = SpooledParts<Omit<StoredEvent, 'kind' | keyof StoredView>>
export type ViewParts = SpooledParts<StoredView>

/**
 * Writes the JSON of stored events of a kind, as JSON.stringify would, which goes over all of their text once more.
 * Kinds and names of fields are ours, and need no escaping.
 */
export function eventWriter(kind: Kind): (event: EventParts, view?: ViewParts) => string {
  const start = `{"kind":"${kind}","time":`
  return ({ time, viewer, fields }, view) =>
    start +
    time +
    (viewer === undefined ? '' : `,"viewer":"${viewer}"`) +
    (view === undefined ? '' : writeView(view)) +
    (fields === '' ? ',"fields":{}}' : `,"fields":{${fields}"}}`)
}

function writeView({ video, watched, duration, segments, segment_starts, segment_ends }: ViewParts): string {
  let text = ''
  if (video !== undefined) text += `,"video":"${video}"`
  if (watched !== undefined) text += `,"watched":${watched}`
  if (duration !== undefined) text += `,"duration":${duration}`
  if (segments !== undefined)
    text += `,"segment_starts":[${segment_starts}],"segment_ends":[${segment_ends}],"segments":"${segments}"`
  return text
}

/** A line of the spool, sealed. */
export function writeLine(line: LineParts, events: number): string {
  const { organization, project, received, arrival, request, viewer } = line
  const open =
    `{"organization":"${organization}","project":"${project}","received":${received},"arrival":${arrival}` +
    (request === undefined ? '' : `,"request":"${request}"`) +
    (viewer === undefined ? '' : `,"viewer":"${viewer}"`) +
    `,"envelope":{${line.envelope}${line.envelope === '' ? '' : '"'}},"events":[${line.events}]`
  return sealLine(open, events)
}

/**
 * Ends a line with how many events it has and a checksum, so that whoever loads it knows both without parsing
 * it. Takes the line without its last brace.
 */
export function sealLine(open: string, events: number): string {
  const counted = `${open},"count":${events}`
  return `${counted},"sum":${crc32(counted)}}`
}

const SEAL = /,"count":(\d{1,9})(,"sum":(\d{1,10})\})$/
const LONGEST_SEAL = 40

/** What the seal of a line says; undefined where it has none. */
export function readSeal(line: Buffer): { events: number; isWhole: boolean } | undefined {
  const seal = SEAL.exec(line.toString('latin1', Math.max(0, line.length - LONGEST_SEAL)))
  if (!seal) return undefined
  const [, events, tail, sum] = seal
  return { events: Number(events), isWhole: crc32(line.subarray(0, -tail!.length)) === Number(sum) }
}
