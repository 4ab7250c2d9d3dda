import {
  type HeldOrganization,
  lockOrganizations,
  organizationsWithEndedPlans,
  setTimedPlans,
} from '../access/index.ts'
import type { OrganizationId } from '../base/ids.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { planOf } from './plan-of-subscriptions.ts'
import { type KeptSubscription, subscriptionsOf } from './store.ts'

export interface Grace {
  /** How long a plan outlasts a payment that failed. */
  graceSeconds: number
}

/** Gives organizations the plans that follow from their subscriptions. */
export async function settlePlans(tx: Transaction, orgIds: OrganizationId[], grace: Grace): Promise<void> {
  const plans = plansOf(await holdOrganizations(tx, orgIds), grace)
  if (plans.length > 0) await setTimedPlans(tx, plans)
}

export interface Held {
  organizations: HeldOrganization[]
  subscriptions: KeptSubscription[]
}

/** Held before their subscriptions are read: of two who settle the same one, the second sees what the first did. */
export async function holdOrganizations(tx: Transaction, orgIds: OrganizationId[]): Promise<Held> {
  if (orgIds.length === 0) return { organizations: [], subscriptions: [] }
  const [organizations, subscriptions] = await Promise.all([
    lockOrganizations(tx, orgIds),
    subscriptionsOf(tx, orgIds),
  ])
  return { organizations, subscriptions }
}

export function plansOf({ organizations, subscriptions }: Held, { graceSeconds }: Grace) {
  const now = new Date().toISOString()
  const owned = Map.groupBy(subscriptions, ({ org_id }) => org_id)
  return organizations.flatMap(({ id, unbilled, plan_set_at: setAt }) => {
    const own = owned.get(id) ?? []
    const isNews = !setAt || own.some(({ last_at }) => last_at !== null && last_at > setAt)
    return isNews ? [{ id, ...planOf(own, { now, graceSeconds, unbilled }) }] : []
  })
}

const AT_ONCE = 100

/** Writes down that plans have ended. Readers know by then; what ends after that only this finds out. */
export async function endPlans({ sql, graceSeconds }: Grace & { sql: Sql }): Promise<void> {
  for (;;) {
    const ended = await organizationsWithEndedPlans(sql, AT_ONCE)
    if (ended.length === 0) return
    await sql.begin((tx) => settlePlans(tx, ended, { graceSeconds }))
    if (ended.length < AT_ONCE) return
  }
}
