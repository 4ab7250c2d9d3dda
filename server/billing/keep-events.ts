import { setTimedPlans } from '../access/index.ts'
import type { OrganizationId } from '../base/ids.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { type BillingEvent, type Happened, inOrder, RANK } from './events.ts'
import type { Receipt } from './port.ts'
import { type Grace, type Held, holdOrganizations, plansOf } from './settle-plans.ts'
import {
  eventsOf,
  holdSubscriptions,
  insertEvents,
  type KeptSubscription,
  type Key,
  keyText,
  newSubscription,
  saveSubscriptions,
  subscriptionsWith,
} from './store.ts'
import { addUp } from './subscription.ts'

interface KeepEventsDeps extends Grace {
  sql: Sql
}

/**
 * Stores events and does what they say in one transaction: what is stored has been done, and what was cut
 * off has not happened at all, and comes again.
 */
export async function keepEvents(
  take: () => BillingEvent[],
  { sql, graceSeconds }: KeepEventsDeps,
): Promise<Receipt[]> {
  const { events, fresh, saved } = await sql.begin(async (tx) => {
    const events = take()
    // Of the same one several times at once, the first counts.
    const all = [...new Map(events.toReversed().map((event) => [keyText(event), event])).values()]
    const changing = all.filter(({ change }) => change !== null)
    const keys = changing.map(subscriptionOf)
    const orgIds = organizationsIn(changing.map(({ change }) => change!))
    // Sent together: the connection keeps their order, and most events name whom they are about.
    const [, fresh, held] = await Promise.all([
      holdSubscriptions(tx, keys),
      insertEvents(tx, all),
      holdOrganizations(tx, orgIds),
    ])
    const news = changing.filter((event) => fresh.has(keyText(event)))
    const changes = news.length > 0 ? await changesBy(tx, news, held, { graceSeconds }) : undefined
    // Not waited for: the commit goes out right behind, and commits nothing where one of them has failed.
    return { events, fresh, saved: changes && Promise.allSettled(save(tx, changes)) }
  })
  for (const one of (await saved) ?? []) if (one.status === 'rejected') throw one.reason
  return events.map((event) => (fresh.delete(keyText(event)) ? 'received' : 'duplicate'))
}

interface Changes {
  subscriptions: KeptSubscription[]
  plans: ReturnType<typeof plansOf>
}

function save(tx: Transaction, { subscriptions, plans }: Changes): Promise<unknown>[] {
  const saved = saveSubscriptions(tx, subscriptions)
  return plans.length > 0 ? [saved, setTimedPlans(tx, plans)] : [saved]
}

/** What new events change, each at its place among all that is known of its subscription. */
async function changesBy(
  tx: Transaction,
  events: BillingEvent[],
  held: Held,
  grace: Grace,
): Promise<Changes> {
  const before = await subscriptionsBefore(tx, events, held.subscriptions)
  const { after, histories } = await addEvents(tx, events, before)
  // Whoever was ever named: an organization that a subscription has moved away from loses its plan.
  const named = [...events, ...[...histories.values()].flat()].map(({ change }) => change!)
  const touched = await holdTouched(tx, organizationsIn([...before, ...named]), held)
  const subscriptions = lastOfEach([...held.subscriptions, ...before, ...touched.subscriptions, ...after])
  return { subscriptions: after, plans: plansOf({ ...touched, subscriptions }, grace) }
}

/** The subscriptions that events are about, as they were before; one that nothing is known of is new. */
async function subscriptionsBefore(
  tx: Transaction,
  events: BillingEvent[],
  held: KeptSubscription[],
): Promise<KeptSubscription[]> {
  const keys = new Map(events.map(subscriptionOf).map((key) => [keyText(key), key]))
  const known = new Map(held.map((one) => [keyText(one), one]))
  const others = [...keys.values()].filter((key) => !known.has(keyText(key)))
  if (others.length > 0) for (const one of await subscriptionsWith(tx, others)) known.set(keyText(one), one)
  return [...keys].map(([text, key]) => known.get(text) ?? newSubscription(key))
}

/** Most events come in order, and are added to what was known; one that comes late has all of them added up again. */
async function addEvents(tx: Transaction, events: BillingEvent[], before: KeptSubscription[]) {
  const grouped = Map.groupBy(events, (event) => keyText(subscriptionOf(event)))
  const newsOf = (one: KeptSubscription) => grouped.get(keyText(one))!.map(happened)
  const late = before.filter((one) => newsOf(one).some((event) => !isLater(event, one)))
  const histories = await historiesOf(tx, late)
  const after = before.map((one) => {
    const history = histories.get(keyText(one))
    return history ? withEvents(newSubscription(one), history) : withEvents(one, newsOf(one).sort(inOrder))
  })
  return { after, histories }
}

/** These organizations, and all subscriptions of those that were not held yet. */
async function holdTouched(tx: Transaction, orgIds: OrganizationId[], held: Held): Promise<Held> {
  const isHeld = new Set(held.organizations.map(({ id }) => id))
  const isTouched = new Set(orgIds)
  const more = await holdOrganizations(
    tx,
    orgIds.filter((id) => !isHeld.has(id)),
  )
  const organizations = held.organizations.filter(({ id }) => isTouched.has(id))
  return { organizations: [...organizations, ...more.organizations], subscriptions: more.subscriptions }
}

/** Each subscription once, as it was named last. */
function lastOfEach(subscriptions: KeptSubscription[]): KeptSubscription[] {
  return [...new Map(subscriptions.map((one) => [keyText(one), one])).values()]
}

export function organizationsIn(all: { org_id?: OrganizationId | null }[]): OrganizationId[] {
  return [...new Set(all.flatMap(({ org_id }) => org_id ?? []))]
}

function subscriptionOf({ provider, subscription }: BillingEvent): Key {
  return { provider, id: subscription! }
}

function happened({ id, occurredAt, change }: BillingEvent): Happened {
  return { id, occurredAt, rank: RANK[change!.kind], change: change! }
}

function isLater(event: Happened, { last_at, last_rank, last_event }: KeptSubscription): boolean {
  if (last_at === null) return true
  return inOrder({ occurredAt: last_at, rank: last_rank!, id: last_event! }, event) < 0
}

/** All that is known to have happened to some subscriptions, in order, by their keys. */
export async function historiesOf(tx: Transaction, keys: Key[]): Promise<Map<string, Happened[]>> {
  const all = keys.length > 0 ? await eventsOf(tx, keys) : []
  return Map.groupBy(all, ({ provider, subscription }) => keyText({ provider, id: subscription }))
}

/** What a subscription is after these, the last of which is its last. */
export function withEvents(known: KeptSubscription, events: readonly Happened[]): KeptSubscription {
  const last = events.at(-1)!
  return {
    ...known,
    ...addUp(known, events),
    last_at: last.occurredAt,
    last_rank: last.rank,
    last_event: last.id,
  }
}
