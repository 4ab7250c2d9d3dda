import type { Interval } from './calendar.ts'
import type { Kind } from './fields.ts'

/** Questions of port.ts that are about all views together, and about what there is to filter events by. */

export interface OverviewQuery {
  /** A row for each; one for all together, with the bucket 0, where it is not given. */
  interval?: Interval
  /** Only views of this video, in this feed, from this country (the event's own, else the envelope's). */
  video?: string
  feed?: string
  country?: string
}

/** Of events of the kind `content_view`. */
export interface OverviewCounts {
  /** Counted as calendar.ts counts. */
  bucket: number
  /** As in ContentCounts, for each `content_id` by itself (none being one more), within the bucket. */
  views: number
  viewers: number
  ends: number
  /** Microseconds. */
  watched: bigint
}

export interface ValuesQuery {
  /** Which field is asked for, as steps of a funnel name it; without one there are no values. */
  field?: string
  /** Only of events of this kind. */
  kind?: Kind
  /** Only values that begin with it, whatever the case of A to Z is. */
  prefix?: string
  limit: number
}

export interface EventValues {
  /** Most frequent first, then by name; all kinds that occur. */
  kinds: { kind: Kind; count: number }[]
  /** How many events have each, the most frequent first, then byte by byte. Empty text is one of them. */
  values: { value: string; count: number }[]
}
