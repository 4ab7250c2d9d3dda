import { type Static, Type } from 'typebox'
import { PLANS, type Plan } from '../base/caller.ts'
import { exampleId } from '../base/ids.ts'
import { EXAMPLE_TIME, exampleOf, Id, named, ref, Timestamp } from '../http/schemas.ts'
import { STATUSES, type Status } from './events.ts'

export const PlanName = Type.Unsafe<Plan>({ type: 'string', enum: [...PLANS] })

/** The body is the provider's: it is read as bytes, and this only describes it. */
export const ProviderPayload = named(
  'ProviderPayload',
  Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      { additionalProperties: true, description: 'the provider’s payload, exactly as it was signed' },
    ),
  ),
  { type: 'subscription.active', data: { org_id: exampleId('organization'), plan: 'pro' } },
)

export const SignatureHeaderFields = Type.Object({
  'webhook-id': Type.Optional(Type.String({ description: 'Standard Webhooks: id of the event' })),
  'webhook-timestamp': Type.Optional(Type.String({ description: 'Standard Webhooks: seconds since 1970' })),
  'webhook-signature': Type.Optional(
    Type.String({ description: 'Standard Webhooks: `v1,<base64>`, several separated by spaces' }),
  ),
  'stripe-signature': Type.Optional(Type.String({ description: 'Stripe: `t=<seconds>,v1=<hex>`' })),
})

export const Received = named(
  'WebhookReceipt',
  Type.Object({
    status: Type.Unsafe<'received' | 'duplicate'>({
      type: 'string',
      enum: ['received', 'duplicate'],
      description: '`duplicate`: this event was received before, and nothing is done again',
    }),
  }),
  { status: 'received' },
)

export const OneOrganization = Type.Object({ org_id: Id('organization') })

export const BillingPlan = named(
  'BillingPlan',
  Type.Object({
    id: PlanName,
    requests_per_hour: Type.Optional(Type.Integer({ description: 'absent: no limit' })),
    requests_per_minute: Type.Optional(Type.Integer({ description: 'absent: no limit' })),
    storage_limit: Type.Integer({ description: 'bytes for each project' }),
  }),
  { id: 'pro', requests_per_hour: 1000, requests_per_minute: 50, storage_limit: 107374182400 },
)
export type BillingPlan = Static<typeof BillingPlan>

export const BillingPlanList = named(
  'BillingPlanList',
  Type.Object({ plans: Type.Array(ref(BillingPlan)) }),
  { plans: [exampleOf(BillingPlan)] },
)

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
  {
    org_id: exampleId('organization'),
    plan: 'pro',
    status: 'active',
    provider: 'payments',
    subscription_id: 'sub_of_the_provider',
    period_start: EXAMPLE_TIME,
    period_end: '2026-06-04T09:30:00.000Z',
    started_at: EXAMPLE_TIME,
  },
)
export type BillingSubscription = Static<typeof BillingSubscription>

const ProjectStorage = named(
  'ProjectStorage',
  Type.Object({
    project_id: Type.String(),
    name: Type.String(),
    storage_used: Type.Integer({ description: 'bytes' }),
    storage_limit: Type.Integer({ description: 'bytes' }),
  }),
  { project_id: exampleId('project'), name: 'Films', storage_used: 52428800, storage_limit: 107374182400 },
)

export const StorageUsage = named(
  'StorageUsage',
  Type.Object({
    org_id: Type.String(),
    plan: PlanName,
    storage_used: Type.Integer({ description: 'bytes of all projects listed' }),
    projects: Type.Array(ref(ProjectStorage)),
  }),
  {
    org_id: exampleId('organization'),
    plan: 'pro',
    storage_used: 52428800,
    projects: [exampleOf(ProjectStorage)],
  },
)
export type StorageUsage = Static<typeof StorageUsage>
