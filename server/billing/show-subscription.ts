import { showPlan } from '../access/index.ts'
import { allowWithin, type Caller } from '../base/caller.ts'
import type { OrganizationId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { BillingSubscription } from './schemas.ts'
import type { Grace } from './settle-plans.ts'
import { subscriptionsOf } from './store.ts'
import { graceEndOf, lastsUntil } from './subscription.ts'

/** The subscription that an organization's plan comes from, or the last it had. */
export async function showSubscription(
  caller: Caller,
  orgId: OrganizationId,
  { sql, graceSeconds }: Grace & { sql: Sql },
): Promise<BillingSubscription> {
  allowWithin(caller, 'billing:read', orgId)
  const plan = await showPlan(caller, orgId, sql)
  const now = new Date().toISOString()
  // The one that began last comes first.
  const all = await subscriptionsOf(sql, [orgId])
  const isOver = (until: string | null) => until !== null && until <= now
  const shown = all.find((one) => !isOver(lastsUntil(one, graceSeconds))) ?? all[0]
  if (!shown) return { org_id: orgId, plan, status: 'none' }
  const graceEnd = graceEndOf(shown, graceSeconds)
  return {
    org_id: orgId,
    plan,
    status: shown.status === 'past_due' && isOver(graceEnd) ? 'unpaid' : (shown.status ?? 'none'),
    provider: shown.provider,
    subscription_id: shown.id,
    started_at: shown.started_at ?? undefined,
    period_start: shown.period_start ?? undefined,
    period_end: shown.period_end ?? undefined,
    grace_ends_at: graceEnd ?? undefined,
    ends_at: shown.ends_at ?? undefined,
  }
}
