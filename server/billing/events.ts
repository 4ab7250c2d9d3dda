import type { Plan } from '../base/caller.ts'
import type { OrganizationId } from '../base/ids.ts'

/** How a subscription stands; the words are Stripe's, which others use too. */
export const STATUSES = [
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'canceled',
] as const
export type Status = (typeof STATUSES)[number]

/** What an event says about its subscription. What it leaves out stays as it was. */
export interface SubscriptionChange {
  kind: 'created' | 'updated' | 'payment_failed' | 'payment_succeeded' | 'ended'
  org_id?: OrganizationId
  plan?: Plan
  status?: Status
  period_start?: string
  period_end?: string
  /** When it is going to end; null: it is not. */
  ends_at?: string | null
}

/**
 * The order of what happened at the same moment: providers tell time in seconds, and much happens in the
 * second in which a subscription begins. What ends something comes last.
 */
export const RANK: Record<SubscriptionChange['kind'], number> = {
  created: 0,
  updated: 1,
  payment_failed: 2,
  payment_succeeded: 3,
  ended: 4,
}

/** A change at its place in the order of events. */
export interface Happened {
  id: string
  /** RFC 3339 in UTC with milliseconds: the order of such texts is the order in time. */
  occurredAt: string
  rank: number
  change: SubscriptionChange
}

/** What a provider's words mean. */
export interface Meaning {
  type: string
  /** The provider's id of the subscription it is about. Null: it is about none, or is of an unknown type. */
  subscription: string | null
  change: SubscriptionChange | null
}

/** An event as it is stored. */
export interface BillingEvent extends Meaning {
  provider: string
  id: string
  scheme: string
  occurredAt: string
  /** What was signed, of which there is one way to write it as bytes. */
  body: string
}

type EventPlace = Pick<Happened, 'id' | 'occurredAt' | 'rank'>

export function inOrder(a: EventPlace, b: EventPlace): number {
  return compare(a.occurredAt, b.occurredAt) || a.rank - b.rank || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
