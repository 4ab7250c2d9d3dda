import type { TimedPlan } from '../access/index.ts'
import type { Plan } from '../base/caller.ts'
import { lastsUntil, type Subscription } from './subscription.ts'

interface Lasting {
  plan: Plan
  startedAt: string
  until: string | null
}

export interface Circumstances {
  now: string
  graceSeconds: number
  /** The plan without any subscription. */
  unbilled: Plan
}

/**
 * The plan that an organization's subscriptions give it, and the next moment at which that changes by
 * itself. Of several the one that began last counts; where none is left, the plan is `free`. Those of which
 * the plan is not known, of a price that nobody has named yet say, take nothing away from whoever pays them.
 */
export function planOf(
  subscriptions: readonly Subscription[],
  { now, graceSeconds, unbilled }: Circumstances,
): TimedPlan {
  const lasting = subscriptions.flatMap((subscription): Lasting[] =>
    subscription.plan
      ? [
          {
            plan: subscription.plan,
            startedAt: subscription.started_at ?? '',
            until: lastsUntil(subscription, graceSeconds),
          },
        ]
      : [],
  )
  if (lasting.length === 0 && subscriptions.length > 0) return { plan: unbilled, until: null, after: null }
  const plan = planAt(lasting, now)
  const changes = lasting.flatMap(({ until }) => (until !== null && until > now ? [until] : [])).sort()
  const until = changes.find((moment) => planAt(lasting, moment) !== plan) ?? null
  return { plan, until, after: until === null ? null : planAt(lasting, until) }
}

function planAt(all: Lasting[], moment: string): Plan {
  const [latest] = all
    .filter(({ until }) => until === null || until > moment)
    .sort((a, b) =>
      a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : a.plan < b.plan ? -1 : 1,
    )
  return latest?.plan ?? 'free'
}
