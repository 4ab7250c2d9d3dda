import { type Static, Type } from 'typebox'
import { PLANS, type Plan } from '../base/caller.ts'
import { Id, named, Timestamp } from '../http/schemas.ts'
import { STATUSES, type Status } from './events.ts'

const PlanName = Type.Unsafe<Plan>({ type: 'string', enum: [...PLANS] })

/** The body is the provider's: it is read as bytes, and this only describes it. */
export const ProviderPayload = Type.Object(
  {},
  { additionalProperties: true, description: 'the provider’s payload, exactly as it was signed' },
)

export const SignatureHeaderFields = Type.Object({
  'webhook-id': Type.Optional(Type.String({ description: 'Standard Webhooks: id of the event' })),
  'webhook-timestamp': Type.Optional(Type.String({ description: 'Standard Webhooks: seconds since 1970' })),
  'webhook-signature': Type.Optional(
    Type.String({ description: 'Standard Webhooks: `v1,<base64>`, several separated by spaces' }),
  ),
  'stripe-signature': Type.Optional(Type.String({ description: 'Stripe: `t=<seconds>,v1=<hex>`' })),
})

export const Received = Type.Object({
  status: Type.Unsafe<'received' | 'duplicate'>({
    type: 'string',
    enum: ['received', 'duplicate'],
    description: '`duplicate`: this event was received before, and nothing is done again',
  }),
})

export const OneOrganization = Type.Object({ org_id: Id('organization') })

export const BillingPlan = named(
  'BillingPlan',
  Type.Object({
    id: PlanName,
    requests_per_hour: Type.Optional(Type.Integer({ description: 'absent: no limit' })),
    requests_per_minute: Type.Optional(Type.Integer({ description: 'absent: no limit' })),
    storage_limit: Type.Integer({ description: 'bytes for each project' }),
  }),
)
export type BillingPlan = Static<typeof BillingPlan>

export const BillingSubscription = named(
  'BillingSubscription',
  Type.Object({
    org_id: Type.String(),
    plan: PlanName,
    status: Type.Unsafe<Status | 'none'>({
      type: 'string',
      enum: ['none', ...STATUSES],
      description: '`none`: there is no subscription. `unpaid`: a payment is missing, and its grace is over',
    }),
    provider: Type.Optional(Type.String()),
    subscription_id: Type.Optional(Type.String({ description: 'the provider’s own id' })),
    period_start: Type.Optional(Timestamp),
    period_end: Type.Optional(Timestamp),
    started_at: Type.Optional(Timestamp),
    grace_ends_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'until when the plan outlasts a failed payment' }),
    ),
    ends_at: Type.Optional(Type.String({ format: 'date-time', description: 'when it ends, or has ended' })),
  }),
)
export type BillingSubscription = Static<typeof BillingSubscription>

export const StorageUsage = named(
  'StorageUsage',
  Type.Object({
    org_id: Type.String(),
    plan: PlanName,
    storage_used: Type.Integer({ description: 'bytes of all projects listed' }),
    projects: Type.Array(
      Type.Object({
        project_id: Type.String(),
        name: Type.String(),
        storage_used: Type.Integer({ description: 'bytes' }),
        storage_limit: Type.Integer({ description: 'bytes' }),
      }),
    ),
  }),
)
export type StorageUsage = Static<typeof StorageUsage>
