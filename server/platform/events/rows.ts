import { TEXT_FIELDS } from './fields.ts'
import type { EventLine, StoredEvent } from './line.ts'

/** All events, those of an organization or of one project; in the order of arrival only those before a place. */
export interface DumpedEvents {
  organization?: string
  project?: string
  before?: number
}

/** An event as an engine writes it out: its columns by name, null where it has none. A line of JSON each. */
export interface EventRow {
  organization: string
  project: string
  received: number
  arrival: number
  kind: StoredEvent['kind']
  time: number
  viewer: string | null
  video: string | null
  watched: number | null
  duration: number | null
  segment_starts: number[] | null
  segment_ends: number[] | null
  segments: string | null
  [field: string]: unknown
}

/** In which rows come: of arrival, and where two processes gave the same place, always the same. */
export const ROW_ORDER = ['arrival', 'organization', 'project', 'time', 'kind', 'viewer', 'video'] as const

function eventOf(row: EventRow): StoredEvent {
  const { kind, time, viewer, video, watched, duration, segments, segment_starts, segment_ends } = row
  const fields: Record<string, string> = {}
  for (const name of TEXT_FIELDS) if (typeof row[name] === 'string') fields[name] = row[name]
  return {
    kind,
    time,
    ...(viewer !== null && { viewer }),
    ...(video !== null && { video }),
    ...(watched !== null && { watched }),
    ...(duration !== null && { duration }),
    ...(segments !== null && {
      segment_starts: segment_starts ?? [],
      segment_ends: segment_ends ?? [],
      segments,
    }),
    fields,
  }
}

const MOST_EVENTS = 500

/** What came together as one line again: events of a project, one place in the order of arrival after the other. */
export async function* linesOf(rows: AsyncIterable<EventRow>): AsyncGenerator<EventLine> {
  let line: EventLine | undefined
  for await (const row of rows) {
    const { organization, project, received, arrival } = row
    const follows =
      line !== undefined &&
      line.organization === organization &&
      line.project === project &&
      line.received === received &&
      arrival === line.arrival + line.events.length &&
      line.events.length < MOST_EVENTS
    if (!follows) {
      if (line) yield line
      line = { organization, project, received, arrival, envelope: {}, events: [] }
    }
    line!.events.push(eventOf(row))
  }
  if (line) yield line
}
