import type { Interval } from './calendar.ts'
import type { Kind } from './fields.ts'
import type { EventValues, OverviewCounts, OverviewQuery, ValuesQuery } from './overview-port.ts'
import type { DumpedEvents } from './rows.ts'

/** All projects of an organization, or one of them. */
export interface EventScope {
  organization: string
  project?: string
}

/** All events of one project, or those of one viewer there. */
export interface ErasedEvents extends Required<EventScope> {
  viewer?: string
  /** In the order of arrival: what came later stays. All of it goes where it is not said. */
  before?: number
}

/** In microseconds since 1970: from the first on, up to but without the second. */
export interface TimeRange {
  from: number
  to: number
}

export interface FunnelStep {
  kind: Kind
  /**
   * What fields of the event must be, as text: its own where it has one, the envelope's otherwise. `project_id`
   * is the project that it belongs to. A field that it does not have equals nothing, also not the empty text.
   */
  fields: Readonly<Record<string, string>>
}

export interface FunnelQuery {
  steps: readonly FunnelStep[]
  /** Microseconds from the first step within which the last one must come. */
  window?: number
}

export interface FunnelCounts {
  /** How many viewers got to each step, or further. */
  reached: number[]
  /** Microseconds from the first step to the last, for all who got through together. */
  took: bigint
  /** To each step from the one before, for all who got to it together; to the first it is nothing. */
  gaps: bigint[]
}

/** What views are counted by. */
export const CONTENTS = ['video', 'post', 'feed'] as const
export type Content = (typeof CONTENTS)[number]

export interface ContentQuery {
  by: Content
  /** Only this one; zeros where nothing is known of it. */
  id?: string
  /** Only views in this feed. */
  feed?: string
  limit: number
}

export interface ContentCounts {
  id: string
  /** Starts, and the viewers of whom there are events but no start. */
  views: number
  viewers: number
  starts: number
  watches: number
  ends: number
  /** Microseconds. */
  watched: bigint
}

export const MAX_PARTS = 1000
export const MAX_SECONDS = 86_400

export interface HeatQuery {
  video: string
  /** So many parts of the same length, at most MAX_PARTS; or its seconds, of which the first MAX_SECONDS. */
  parts: number | 'seconds'
}

export interface Heat {
  /** Different viewers of the video. */
  viewers: number
  /** Of the video, in microseconds: what most events say (0 says nothing), of several the longest; else where the last segment ends. */
  duration: number
  /**
   * For each part, how many segments with a viewer have some of it, however short. A segment that does not end
   * after its start has nothing, and what is beyond the duration does not count. Zeros where the duration is 0.
   */
  passes: number[]
}

export interface Activity {
  /** Counted as calendar.ts counts. */
  bucket: number
  /** As in ContentCounts, for each `content_id` by itself (none being one more), within the bucket. */
  views: number
  /** Of events of any kind. */
  viewers: number
}

export interface RecentEvent {
  time: number
  kind: Kind
  viewer: string | null
  country: string | null
  page: string | null
  content_id: string | null
}

export interface RealtimeCounts {
  /** Different viewers in the span. */
  viewers: number
  /** Events in its last minute. */
  lastMinute: number
  /** Most frequent first, then by name; all kinds that occur. */
  kinds: { kind: Kind; count: number }[]
  /** Most frequent first, then by name; at most ten. Empty text is no country. */
  countries: { country: string; count: number }[]
  /** Latest first, by time and then by arrival; at most ten. */
  recent: RecentEvent[]
}

export interface Returned {
  /** When the viewers' first event of the range was, and when they had one again (or the same). */
  first: number
  bucket: number
  viewers: number
}

export const QUALITY_GROUPS = ['day', 'country', 'browser'] as const
export type QualityGroup = (typeof QUALITY_GROUPS)[number]

/** The kinds of interaction by which a player tells how well it plays; docs/tracker.md says what their numbers are. */
export const PLAYBACK = ['playback_start', 'playback_stall', 'playback_rung', 'playback_frames'] as const

export interface QualityQuery {
  /** Only this one. */
  video?: string
  /** A row for each; one for all together where it is not given. */
  by?: QualityGroup
}

export const MAX_GROUPS = 1000

/**
 * How well videos played, by interactions of the kinds of PLAYBACK with the `element_type` `video`, and errors with the
 * `error_type` `playback` and the `resource_type` `video`; `element_id` and `resource_id` are the video. A number is one
 * to nine digits, the height one to five; where it is not, the event adds nothing but its play.
 */
export interface QualityCounts {
  /** The number of the day as calendar.ts counts, the country or the browser as text; empty where it is not said. */
  group: string
  /** Different `session_id`s that are not empty, and those of them that have an error. */
  plays: number
  failed: number
  /** Milliseconds: the smallest that half of the starts, or 95 of 100, do not exceed. 0 where there is none. */
  startMedian: number
  startP95: number
  /** Milliseconds. */
  stalled: number
  watched: number
  /** Height times milliseconds watched at it. */
  heights: number
  dropped: number
  frames: number
}

/**
 * Questions about events. Every answer is exact; those that list by bucket leave out what is zero. One whose signal is
 * aborted is ended in the engine as well, and rejects once it has.
 */
export interface EventReports {
  funnel(scope: EventScope, range: TimeRange, query: FunnelQuery, signal?: AbortSignal): Promise<FunnelCounts>
  /** Ordered by views, then by time watched, both falling, then by id, byte by byte. Empty text is no id. */
  contents(
    scope: EventScope,
    range: TimeRange,
    query: ContentQuery,
    signal?: AbortSignal,
  ): Promise<ContentCounts[]>
  heat(scope: EventScope, range: TimeRange, query: HeatQuery, signal?: AbortSignal): Promise<Heat>
  /** Ordered by bucket. */
  activity(scope: EventScope, range: TimeRange, interval: Interval, signal?: AbortSignal): Promise<Activity[]>
  /** Ordered by bucket; one without any view is left out. */
  overview(
    scope: EventScope,
    range: TimeRange,
    query: OverviewQuery,
    signal?: AbortSignal,
  ): Promise<OverviewCounts[]>
  values(scope: EventScope, range: TimeRange, query: ValuesQuery, signal?: AbortSignal): Promise<EventValues>
  realtime(
    scope: EventScope,
    range: TimeRange,
    query?: undefined,
    signal?: AbortSignal,
  ): Promise<RealtimeCounts>
  /** At most MAX_GROUPS, those with the most plays first, then by group, byte by byte. */
  quality(
    scope: EventScope,
    range: TimeRange,
    query: QualityQuery,
    signal?: AbortSignal,
  ): Promise<QualityCounts[]>
  /** Ordered by first bucket, then by bucket. */
  retention(
    scope: EventScope,
    range: TimeRange,
    interval: Interval,
    signal?: AbortSignal,
  ): Promise<Returned[]>
}

/** A place in the spool: all of it before is meant. */
export interface Position {
  segment: number
  offset: number
}

/** Whole lines of a segment of the spool. */
export interface Chunk {
  /** Which spool: each process has one of its own. */
  spool: string
  segment: number
  path: string
  from: number
  to: number
  /** A folder for lines that cannot be loaded. */
  aside: string
  /** At most so many lines of it; as many as the engine takes where it is not said. */
  lines?: number
  /** Why none of these lines is to be loaded: all are put aside. */
  reject?: string
}

/** A line that cannot be loaded, in a file of its own. */
export interface SetAside {
  file: string
  reason: string
}

/** How far a spool is loaded now, and what was put aside on the way. */
export interface Loaded extends Position {
  aside: SetAside[]
}

/** Where events end up, and are asked for. */
export interface EventEngine extends EventReports {
  /** How far a spool is loaded; undefined where nothing of it is. */
  position(spool: string): Promise<Position | undefined>
  /**
   * Loads what begins at the spool's position, and answers how far it got, which may be before the end of the
   * chunk. A crash at any point and another try make no difference: each line is loaded once. A line that cannot
   * be loaded is put aside, and what follows it is loaded. Rejects with EventsUnavailable where that may pass by
   * itself, and then nothing was put aside because of it.
   */
  load(chunk: Chunk): Promise<Loaded>
  /** The last place in the order of arrival that one of these events has; 0 where there is none. */
  newest(events: ErasedEvents): Promise<number>
  /** Deletes what is loaded of these events, with the names that are in no other event; done again, nothing happens. */
  erase(erased: ErasedEvents): Promise<void>
  /**
   * Writes what is loaded of these events to a file, as rows.ts describes: always the same for the same events. A file that
   * is there is replaced. Answers how many there are.
   */
  dump(events: DumpedEvents, file: string): Promise<number>
  count(events: DumpedEvents): Promise<number>
  check(): Promise<void>
  close(): Promise<void>
}

/** What the service knows of events: they go in, and reports come out. */
export interface EventLog {
  /**
   * Takes a request's events: a line as line.ts describes, without a line feed. Resolves once it is on the disk,
   * so that it survives anything; rejects with EventsFull where there is no room, and then nothing of it is kept.
   */
  take(line: string): Promise<void>
  /** The next places in the order of arrival, for so many events. */
  arrivals(count: number): number
  /**
   * A place in the order of arrival behind all of these events that were taken before: their clock may have been ahead of
   * this process's. Rejects with EventsUnavailable.
   */
  endOf(events: ErasedEvents): Promise<number>
  /**
   * Deletes events for good that were taken before, from the engine and from the spools of all processes that run; one
   * that does not erases them when it starts. Rejects with EventsUnavailable.
   */
  erase(erased: ErasedEvents): Promise<void>
  /** As the engine does, with everything that was taken before. */
  dump(events: DumpedEvents, file: string): Promise<number>
  /** With everything in them that was taken before; reject with EventsUnavailable while the engine is away. */
  reports: EventReports
}
