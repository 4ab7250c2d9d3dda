import { hash } from 'node:crypto'
import type { Caller } from '../../base/caller.ts'
import { badRequest, forbidden, Refusal } from '../../base/errors.ts'
import type { ProjectId } from '../../base/ids.ts'
import { includes, permissionSet } from '../../base/permissions.ts'
import { EventsFull } from '../../platform/events/errors.ts'
import { writeLine } from '../../platform/events/line.ts'
import type { EventLog } from '../../platform/events/port.ts'
import { type EventProjectDeps, projectOfEvents } from './project-of-events.ts'
import { escapeNothing } from './read-field.ts'
import { readRequest } from './read-request.ts'

export interface TakeDeps extends EventProjectDeps {
  events: EventLog
  clock: () => number
}

export interface SentEvents {
  /** The request's body, as text. */
  body: string
  idempotencyKey: string | undefined
  /** For a body that names no project. */
  projectId: ProjectId | undefined
}

const SENDING = permissionSet(['events:write'])
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/** Takes a request's events: all of them, on the disk, once this resolves; none where it throws. */
export async function takeEvents(caller: Caller, sent: SentEvents, deps: TakeDeps): Promise<void> {
  // Where they may is known once the body is read, which is not done for those who may nowhere.
  if (!caller.grants.some(({ permissions }) => includes(permissions, SENDING)))
    throw forbidden('needs events:write')
  const { body, idempotencyKey } = sent
  // A name that comes twice in the query is a list.
  if (idempotencyKey !== undefined && !(typeof idempotencyKey === 'string' && PRINTABLE.test(idempotencyKey)))
    throw badRequest('idempotency key: must be 1 to 255 printable ASCII characters')
  const received = deps.clock()
  const read = readRequest(body, received)
  const { orgId, projectId } = await projectOfEvents(caller, read.projectId ?? sent.projectId, deps)
  if (read.count === 0) return
  const line = writeLine(
    {
      // Ids and digests need no escaping.
      organization: escapeNothing(orgId),
      project: escapeNothing(projectId),
      received,
      arrival: deps.events.arrivals(read.count),
      request:
        idempotencyKey === undefined
          ? undefined
          : escapeNothing(digestOf(orgId, projectId, idempotencyKey, body)),
      ...read.said,
    },
    read.count,
  )
  await deps.events.take(line).catch(refuseFull)
}

/** The same for the same key and body only. None of the parts before the body has a line feed in it. */
function digestOf(...parts: string[]): string {
  return hash('sha256', parts.join('\n'), 'base64url')
}

function refuseFull(error: unknown): never {
  if (error instanceof EventsFull)
    throw new Refusal(503, {
      details: 'there is no room for events now; send the same request again later',
      headers: { 'retry-after': '5' },
    })
  throw error
}
