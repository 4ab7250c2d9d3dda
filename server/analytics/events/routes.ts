import type { FastifyRequest } from 'fastify'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { unpack } from '../../http/unpack.ts'
import type { EventLog } from '../../platform/events/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { rememberOrganizations } from './project-of-events.ts'
import { Acknowledgement, EventsHeaders, EventsQuery, TrackEventsRequest } from './schemas.ts'
import { takeEvents } from './take-events.ts'

/** A page that sends a beacon of text can say no other type than text/plain. */
const TYPES = ['application/json', 'text/plain']
const MAX_BODY = 2 * 1024 * 1024

export interface EventDeps {
  sql: Sql
  events: EventLog
  clock: () => number
}

export function eventRoutes(deps: EventDeps): (app: App) => void {
  const taking = { ...deps, organizationOf: rememberOrganizations(deps.sql, deps.clock) }

  return (app) => {
    app.register(async (inner) => {
      const scope = inner as App
      scope.removeAllContentTypeParsers()
      const textOf = async ({ headers }: FastifyRequest, body: Buffer) =>
        (await unpack(body, headers['content-encoding'], MAX_BODY)).toString()
      scope.addContentTypeParser<Buffer>(TYPES, { parseAs: 'buffer' }, textOf)

      scope.post(
        '/analytics/v1/events',
        {
          ...operation({
            consumes: TYPES,
            tag: 'Analytics',
            id: 'trackEvents',
            summary: 'Send events: all of them are kept, or none',
            description: DESCRIPTION,
            limit: 'events',
            takesBeacons: true,
            request: { headers: EventsHeaders, querystring: EventsQuery, body: TrackEventsRequest },
            answers: { 200: ref(Acknowledgement) },
          }),
          bodyLimit: MAX_BODY,
          // The body is still text here: it is checked while it is read. So are the headers and the query.
          validatorCompiler: () => () => true,
        },
        async (request) => {
          const body: unknown = request.body ?? ''
          await takeEvents(
            request.caller,
            {
              body: body as string,
              idempotencyKey: request.headers['idempotency-key'] ?? request.query.idempotency_key,
              projectId: request.headers['x-project-id'],
            },
            taking,
          )
          return {}
        },
      )
    })
  }
}

const DESCRIPTION =
  'At most 1,000 events and 2 MiB, as `application/json` or `text/plain`, gzipped or not. Once the answer is there the events are on the disk, and in every report that is asked for from then on. With `Idempotency-Key`, or `idempotency_key` in the query for pages that cannot set headers, the same key and body count once within a day. The first thing that does not fit is named: `events[3].content_view.view_type: must be one of start, watch, end`.'
