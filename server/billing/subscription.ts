import type { Plan } from '../base/caller.ts'
import type { OrganizationId } from '../base/ids.ts'
import { millisecondsOf } from '../base/rfc3339.ts'
import type { Happened, Status } from './events.ts'

/** How a subscription stands after some events. */
export interface Subscription {
  org_id: OrganizationId | null
  plan: Plan | null
  status: Status | null
  started_at: string | null
  period_start: string | null
  period_end: string | null
  /** Since when a payment is missing. */
  past_due_since: string | null
  ends_at: string | null
}

/** Before its first event. */
export const UNKNOWN: Subscription = {
  org_id: null,
  plan: null,
  status: null,
  started_at: null,
  period_start: null,
  period_end: null,
  past_due_since: null,
  ends_at: null,
}

/** What events add up to, in their order. Nothing but them counts: not when they came, nor how often. */
export function addUp(before: Subscription, events: readonly Happened[]): Subscription {
  return events.reduce(after, before)
}

function after(before: Subscription, { change, occurredAt }: Happened): Subscription {
  const named: Subscription = {
    ...before,
    org_id: change.org_id ?? before.org_id,
    plan: change.plan ?? before.plan,
    period_start: change.period_start ?? before.period_start,
    period_end: change.period_end ?? before.period_end,
  }
  switch (change.kind) {
    case 'created':
    case 'updated':
      return withStatus(
        { ...named, started_at: before.started_at ?? occurredAt },
        change.status ?? before.status ?? 'active',
        occurredAt,
        change.ends_at,
      )
    case 'ended':
      return withStatus(named, 'canceled', occurredAt, change.ends_at)
    case 'payment_failed':
      // One that never began, or has ended, has no plan to lose.
      return isRunning(before.status) ? withStatus(named, 'past_due', occurredAt) : named
    case 'payment_succeeded':
      return before.status === 'past_due' || before.status === 'incomplete'
        ? withStatus(named, 'active', occurredAt)
        : named
  }
}

function isRunning(status: Status | null): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due'
}

function withStatus(before: Subscription, status: Status, at: string, endsAt?: string | null): Subscription {
  // One that was cancelled and runs again no longer ends when it was to.
  const known = before.status === 'canceled' && status !== 'canceled' ? null : before.ends_at
  return {
    ...before,
    status,
    past_due_since: status === 'past_due' ? (before.past_due_since ?? at) : null,
    ends_at: status === 'canceled' ? (endsAt ?? at) : endsAt === undefined ? known : endsAt,
  }
}

/** When the grace of one that is past due is over. */
export function graceEndOf({ past_due_since }: Subscription, graceSeconds: number): string | null {
  return past_due_since && new Date(millisecondsOf(past_due_since) + graceSeconds * 1000).toISOString()
}

/** Until when a subscription gives its plan: null for as long as nothing new is heard, '' not at all. */
export function lastsUntil(subscription: Subscription, graceSeconds: number): string | null {
  const { plan, status, ends_at } = subscription
  if (!plan || !(isRunning(status) || status === 'canceled')) return ''
  const ends = [ends_at, graceEndOf(subscription, graceSeconds)].filter((end) => end !== null)
  return ends.sort()[0] ?? null
}
