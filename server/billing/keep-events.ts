import { setTimedPlans } from '../access/organizations/timed-plans.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { type BillingEvent, type Happened, inOrder, RANK } from './events.ts'
import type { Receipt } from './port.ts'
import { type Grace, type Held, holdOrganizations, plansOf } from './settle-plans.ts'
import {
  eventsOf,
  insertEvents,
  type KeptSubscription,
  type Key,
  keyText,
  lockSubscriptions,
  saveSubscriptions,
} from './store.ts'
import { addUp, UNKNOWN } from './subscription.ts'

/**
 * Stores events and does what they say in one transaction: what is stored has been done, and what was cut
 * off has not happened at all, and comes again.
 */
export async function keepEvents(
  events: BillingEvent[],
  { sql, graceSeconds }: Grace & { sql: Sql },
): Promise<Receipt[]> {
  // Of the same one several times at once, the first counts.
  const first = new Map(events.toReversed().map((event) => [keyText(event), event]))
  const stored = await sql.begin(async (tx) => {
    const all = [...first.values()]
    const changing = all.filter(({ change }) => change !== null)
    // Sent together: the connection keeps their order, and most events name whom they are about.
    const [fresh, subscriptions, organizations] = await Promise.all([
      insertEvents(tx, all),
      changing.length > 0 ? lockSubscriptions(tx, changing.map(subscriptionOf)) : [],
      holdOrganizations(tx, organizationsIn(changing.map(({ change }) => change!))),
    ])
    const news = changing.filter((event) => fresh.has(keyText(event)))
    if (news.length > 0) await applyNew(tx, news, subscriptions, organizations, { graceSeconds })
    return fresh
  })
  return events.map((event) => (stored.delete(keyText(event)) ? 'received' : 'duplicate'))
}

async function applyNew(
  tx: Transaction,
  events: BillingEvent[],
  subscriptions: KeptSubscription[],
  held: Held,
  grace: Grace,
): Promise<void> {
  const news = Map.groupBy(events.map(happened), ({ of }) => of)
  const before = subscriptions.filter((one) => news.has(keyText(one)))
  // Most events come in order, and are added to what was known; one that comes late has all of them added up again.
  const late = before.filter((known) => news.get(keyText(known))!.some((event) => !isLater(event, known)))
  const histories =
    late.length > 0
      ? Map.groupBy(await eventsOf(tx, late), (e) => keyText({ provider: e.provider, id: e.subscription }))
      : new Map<string, Happened[]>()
  const after = before.map((known) => {
    const history = histories.get(keyText(known))
    return history
      ? withEvents({ ...known, ...UNKNOWN }, history)
      : withEvents(known, news.get(keyText(known))!.sort(inOrder))
  })
  // Whoever was ever named: an organization that a subscription has moved away from loses its plan.
  const named = [...news.values(), ...histories.values()].flat().map(({ change }) => change)
  const isTouched = new Set(organizationsIn([...before, ...named]))
  const isHeld = new Set(held.organizations.map(({ id }) => id))
  const more = await holdOrganizations(
    tx,
    [...isTouched].filter((id) => !isHeld.has(id)),
  )
  const known = [...held.subscriptions, ...more.subscriptions, ...after]
  const plans = plansOf(
    {
      organizations: [...held.organizations.filter(({ id }) => isTouched.has(id)), ...more.organizations],
      subscriptions: [...new Map(known.map((one) => [keyText(one), one])).values()],
    },
    grace,
  )
  await Promise.all([saveSubscriptions(tx, after), plans.length > 0 && setTimedPlans(tx, plans)])
}

export function organizationsIn(all: { org_id?: string | null }[]): string[] {
  return [...new Set(all.flatMap(({ org_id }) => org_id ?? []))]
}

function subscriptionOf({ provider, subscription }: BillingEvent): Key {
  return { provider, id: subscription! }
}

function happened(event: BillingEvent) {
  const change = event.change!
  const { id, occurredAt } = event
  return { of: keyText(subscriptionOf(event)), id, occurredAt, rank: RANK[change.kind], change }
}

function isLater(event: Happened, { last_at, last_rank, last_event }: KeptSubscription): boolean {
  if (last_at === null) return true
  return inOrder({ occurredAt: last_at, rank: last_rank!, id: last_event! }, event) < 0
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
