import { badRequest, Refusal } from '../../base/errors.ts'
import type { ProjectId } from '../../base/ids.ts'
import { idPattern } from '../../base/ids.ts'
import { ENVELOPE } from '../../platform/events/fields.ts'
import type { LineParts, WrittenEvents, WrittenFields } from '../../platform/events/line.ts'
import { readEvent } from './read-event.ts'
import {
  type Escape,
  escapeAny,
  escapeNothing,
  FieldProblem,
  fieldReaders,
  isObject,
  unknownField,
} from './read-field.ts'

export const MAX_EVENTS = 1000
const AHEAD = 24 * 3600 * 1000

/** Of texts in the envelope, which are kept with each of its events. */
export const MAX_ENVELOPE_TEXT = 1024

const FIELDS = fieldReaders(Object.fromEntries(ENVELOPE.map((name) => [name, 'text'])), MAX_ENVELOPE_TEXT)
const PROJECT_ID = new RegExp(idPattern('project'))

export interface EventsRead {
  count: number
  projectId: ProjectId | undefined
  /** What the request itself says, as the line has it. */
  said: Pick<LineParts, 'viewer' | 'envelope' | 'events'>
}

/**
 * Checks a request and writes its part of the spool's line in one pass. A schema's validator and a serializer
 * would go over everything twice more, which is most of what taking events costs.
 */
export function readRequest(body: string, now: number): EventsRead {
  try {
    return readEnvelope(parse(body), body.includes('\\') ? escapeAny : escapeNothing, now)
  } catch (error) {
    throw error instanceof FieldProblem ? badRequest(`${error.place || 'body'}: ${error.message}`) : error
  }
}

function parse(body: string): unknown {
  if (body === '') throw new FieldProblem('body', 'is required')
  try {
    return JSON.parse(body)
  } catch {
    throw new FieldProblem('body', 'not valid JSON')
  }
}

function readEnvelope(envelope: unknown, toJson: Escape, now: number): EventsRead {
  if (!isObject(envelope)) throw new FieldProblem('', 'must be object')
  let text = ''
  for (const name in envelope) {
    const field = FIELDS.get(name)
    if (field) text += (text === '' ? field.before : field.between) + field.read(envelope[name], toJson)
    else if (name === 'project_id') readProjectId(envelope[name])
    else if (name !== 'events') throw unknownField(name)
  }
  const { user_id: viewer, project_id: projectId, events } = envelope
  if (events === undefined) throw new FieldProblem('events', 'is required')
  if (!Array.isArray(events)) throw new FieldProblem('events', 'must be array')
  if (events.length > MAX_EVENTS)
    throw new Refusal(413, { details: `events: at most ${MAX_EVENTS} in a request` })

  const reading = { toJson, latest: (now + AHEAD) * 1000, hasViewer: Boolean(viewer) }
  let list = ''
  let i = 0
  try {
    for (; i < events.length; i++) list += (i === 0 ? '' : ',') + readEvent(events[i], reading)
  } catch (error) {
    throw error instanceof FieldProblem ? error.within(`events[${i}]`) : error
  }
  return {
    count: events.length,
    projectId: projectId as ProjectId | undefined,
    said: {
      viewer: viewer ? toJson(viewer as string) : undefined,
      envelope: text as WrittenFields,
      events: list as WrittenEvents,
    },
  }
}

function readProjectId(value: unknown): void {
  if (typeof value !== 'string') throw new FieldProblem('project_id', 'must be string')
  if (!PROJECT_ID.test(value)) throw new FieldProblem('project_id', 'is malformed')
}
