import { allowSomewhere, type Caller, PLANS, type Plan } from '../base/caller.ts'
import type { BillingPlan } from './schemas.ts'

/** What each plan allows; 0 requests stand for no limit. */
export interface PlanTerms {
  quotas: Record<Plan, { perHour: number; perMinute: number }>
  storageLimits: Record<Plan, number>
}

export function showPlans(caller: Caller, { quotas, storageLimits }: PlanTerms): BillingPlan[] {
  allowSomewhere(caller, 'billing:read')
  return PLANS.map((id) => ({
    id,
    requests_per_hour: quotas[id].perHour || undefined,
    requests_per_minute: quotas[id].perMinute || undefined,
    storage_limit: storageLimits[id],
  }))
}
