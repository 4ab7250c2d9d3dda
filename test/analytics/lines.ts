import { escapeNothing } from '../../server/analytics/events/read-field.ts'
import { readRequest } from '../../server/analytics/events/read-request.ts'
import { type EventLine, writeLine } from '../../server/platform/events/line.ts'

export const NOW = Date.parse('2026-11-15T00:00:00Z')
/** What every event has. */
export const at = { timestamp: '2026-11-14T12:00:00Z' }

const HEAD = {
  organization: escapeNothing('org'),
  project: escapeNothing('proj'),
  received: NOW,
  arrival: 0,
}

/** What is kept of a request. */
export function lineOf(body: unknown): Pick<EventLine, 'viewer' | 'envelope' | 'events'> {
  const { said, count } = readRequest(JSON.stringify(body), NOW)
  const { viewer, envelope, events } = JSON.parse(writeLine({ ...HEAD, ...said }, count))
  return { ...(viewer !== undefined && { viewer }), envelope, events }
}
