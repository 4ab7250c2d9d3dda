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
export interface StoredEvent {
  kind: Kind
  /** Microseconds since 1970, never before. */
  time: number
  /** Where the line has none. */
  viewer?: string
  /** Of a view that counts for a video: which. */
  video?: string
  /** Of a view, in microseconds. */
  watched?: number
  duration?: number
  segment_starts?: number[]
  segment_ends?: number[]
  /** Its segments as JSON. */
  segments?: string
  fields: Record<string, string>
}

/** How long the same request with an Idempotency-Key counts once, in milliseconds. */
export const ONCE_WITHIN = 24 * 3600 * 1000

/** No length of media that anybody plays is greater; what is, counts as this. Microseconds. */
export const MAX_DURATION = 100 * 24 * 3600 * 1_000_000

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
