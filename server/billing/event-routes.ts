import { operation } from '../http/operation.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import {
  BillingEventDetails,
  BillingEventList,
  BillingEventRecord,
  BillingEventsQuery,
  OneEvent,
  OneEventQuery,
} from './event-schemas.ts'
import { type ReplayEventDeps, replayBillingEvent } from './replay-event.ts'
import { listBillingEvents, showBillingEvent } from './show-events.ts'

const tag = 'Billing'
const UNKNOWN = { 404: 'Not Found' }

export function billingEventRoutes(app: App, deps: ReplayEventDeps): void {
  app.get(
    '/billing/v1/events',
    operation({
      tag,
      id: 'listBillingEvents',
      summary: 'List what payment providers told of an organization’s subscriptions',
      description:
        'The latest first. `change` is what became of an event: what it changes of its subscription.',
      request: { querystring: BillingEventsQuery },
      answers: { 200: ref(BillingEventList) },
    }),
    ({ caller, query: { org_id, limit, offset } }) =>
      listBillingEvents(caller, org_id, { limit, offset }, deps.sql),
  )

  app.get(
    '/billing/v1/events/:event_id',
    operation({
      tag,
      id: 'getBillingEvent',
      summary: 'Show an event of a payment provider with its body',
      description: 'Needs `billing:write`: the body may hold what is known of whoever pays.',
      errors: UNKNOWN,
      request: { params: OneEvent, querystring: OneEventQuery },
      answers: { 200: ref(BillingEventDetails) },
    }),
    ({ caller, params, query: { org_id, provider } }) =>
      showBillingEvent(caller, org_id, { id: params.event_id, provider }, deps.sql),
  )

  app.post(
    '/billing/v1/events/:event_id/replay',
    operation({
      tag,
      id: 'replayBillingEvent',
      summary: 'Do again what a stored event says, by today’s settings',
      description:
        'For when the settings have changed, the plan of a price say. Under the same settings it changes nothing. A 409 where the billing component runs elsewhere.',
      errors: { ...UNKNOWN, 409: 'Conflict' },
      request: { params: OneEvent, querystring: OneEventQuery },
      answers: { 200: ref(BillingEventRecord) },
    }),
    ({ caller, params, query: { org_id, provider } }) =>
      replayBillingEvent(caller, org_id, { id: params.event_id, provider }, deps),
  )
}
