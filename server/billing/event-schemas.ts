import { type Static, Type } from 'typebox'
import { exampleId, type OrganizationId } from '../base/ids.ts'
import { pageProperties } from '../http/pagination.ts'
import { EXAMPLE_TIME, exampleOf, Id, named, Pagination, ref, Timestamp } from '../http/schemas.ts'
import { RANK, STATUSES, type Status, type SubscriptionChange } from './events.ts'
import { PlanName } from './schemas.ts'

const page = Type.Object({ org_id: Id('organization'), ...pageProperties })
/** Defaults are filled in before a handler sees it. */
export const BillingEventsQuery = Type.Unsafe<{ org_id: OrganizationId; limit: number; offset: number }>(page)

export const OneEvent = Type.Object({
  event_id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'the provider’s own id',
    examples: ['evt_of_the_provider'],
  }),
})

export const OneEventQuery = Type.Object({
  org_id: Id('organization'),
  provider: Type.Optional(
    Type.String({ maxLength: 255, description: 'where several have sent an event of this id' }),
  ),
})

const Change = named(
  'SubscriptionChange',
  Type.Object({
    kind: Type.Unsafe<SubscriptionChange['kind']>({ type: 'string', enum: Object.keys(RANK) }),
    org_id: Type.Optional(Type.Unsafe<OrganizationId>(Type.String())),
    plan: Type.Optional(PlanName),
    status: Type.Optional(Type.Unsafe<Status>({ type: 'string', enum: [...STATUSES] })),
    period_start: Type.Optional(Timestamp),
    period_end: Type.Optional(Timestamp),
    ends_at: Type.Optional(Type.Union([Timestamp, Type.Null()])),
  }),
  { kind: 'created', org_id: exampleId('organization'), plan: 'pro' },
)

const event = {
  id: Type.String({ description: 'the provider’s own' }),
  provider: Type.String(),
  type: Type.String({ description: 'the provider’s word for it' }),
  subscription_id: Type.String({ description: 'the provider’s own id' }),
  occurred_at: Timestamp,
  received_at: Timestamp,
  change: ref(Change),
}

export const BillingEventRecord = named('BillingEvent', Type.Object(event), {
  id: 'evt_of_the_provider',
  provider: 'payments',
  type: 'subscription.created',
  subscription_id: 'sub_of_the_provider',
  occurred_at: EXAMPLE_TIME,
  received_at: EXAMPLE_TIME,
  change: exampleOf(Change),
})
export type BillingEventRecord = Static<typeof BillingEventRecord>

export const BillingEventList = named(
  'BillingEventList',
  Type.Object({ data: Type.Array(ref(BillingEventRecord)), pagination: ref(Pagination) }),
  { data: [exampleOf(BillingEventRecord)], pagination: exampleOf(Pagination) },
)
export type BillingEventList = Static<typeof BillingEventList>

export const BillingEventDetails = named(
  'BillingEventDetails',
  Type.Object({ ...event, body: Type.String({ description: 'the JSON, exactly as it was signed' }) }),
  {
    ...exampleOf(BillingEventRecord),
    body: '{"type":"subscription.created","data":{"org_id":"org_…","plan":"pro"}}',
  },
)
export type BillingEventDetails = Static<typeof BillingEventDetails>
