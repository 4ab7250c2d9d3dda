import type { OrganizationId } from '../base/ids.ts'
import type { Queryable, Transaction } from '../platform/postgres/client.ts'
import { type BillingEvent, type Happened, type Meaning, RANK } from './events.ts'
import { type Subscription, UNKNOWN } from './subscription.ts'

/** A subscription by its provider's id. */
export interface Key {
  provider: string
  id: string
}

/** With the place of its last event in the order, where it had any. */
export interface KeptSubscription extends Key, Subscription {
  last_at: string | null
  last_rank: number | null
  last_event: string | null
}

/** One before its first event. */
export function newSubscription({ provider, id }: Key): KeptSubscription {
  return { provider, id, ...UNKNOWN, last_at: null, last_rank: null, last_event: null }
}

export const keyText = ({ provider, id }: Key) => `${provider} ${id}`

const columns = (sql: Queryable) => sql`
  provider, id, org_id, plan, status, started_at, period_start, period_end, past_due_since, ends_at, last_at,
  last_rank, last_event`

/** Events as a table reads them; without a change they have none, and not JSON's null. */
function rowsOf(tx: Transaction, events: Meaning[]) {
  const rows = events.map(({ change, ...event }) =>
    change ? { ...event, rank: RANK[change.kind], change } : { ...event, rank: 0 },
  )
  return tx.json(rows as never)
}

const keysIn = (tx: Transaction, keys: Key[]) =>
  tx`jsonb_to_recordset(${tx.json(keys as never)}) as k (provider text, id text)`

/**
 * Nobody else reads, adds to and saves these subscriptions, there or not yet, until the transaction ends.
 * Everybody takes them all at once and in one order, and events after them, so that no two wait for each other.
 */
export async function holdSubscriptions(tx: Transaction, keys: Key[]): Promise<void> {
  await tx`
    select pg_advisory_xact_lock_shared(hashtext('marquee billing')),
      (select count(pg_advisory_xact_lock(hash)) from (
        select distinct hashtextextended(provider || ' ' || id, 0) as hash
        from ${keysIn(tx, keys)}
        order by 1) k)`
}

/** Nobody else holds any. */
export async function holdAllSubscriptions(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('marquee billing'))`
}

/** Stores those events that are not there yet, and answers their keys. */
export async function insertEvents(tx: Transaction, events: BillingEvent[]): Promise<Set<string>> {
  const fresh = await tx<Key[]>`
    insert into billing_events (provider, id, scheme, type, occurred_at, rank, subscription, change, body)
    select provider, id, scheme, type, "occurredAt", rank, subscription, change, convert_to(body, 'UTF8')
    from jsonb_to_recordset(${rowsOf(tx, events)}) as e (provider text, id text, scheme text, type text,
      "occurredAt" timestamptz, rank smallint, subscription text, change jsonb, body text)
    order by provider collate "C", id collate "C"
    on conflict do nothing returning provider, id`
  return new Set(fresh.map(keyText))
}

/** Looked up one by one: a plan that was made while there were few would go on reading them all. */
export async function subscriptionsWith(tx: Transaction, keys: Key[]): Promise<KeptSubscription[]> {
  return tx<KeptSubscription[]>`
    select s.* from ${keysIn(tx, keys)}
    cross join lateral (
      select ${columns(tx)} from billing_subscriptions where provider = k.provider and id = k.id offset 0) s`
}

/** The one that began last comes first. */
export async function subscriptionsOf(sql: Queryable, orgIds: OrganizationId[]): Promise<KeptSubscription[]> {
  return sql<KeptSubscription[]>`
    select s.* from unnest(${orgIds}::text[]) as o (id)
    cross join lateral (select ${columns(sql)} from billing_subscriptions where org_id = o.id offset 0) s
    order by started_at desc nulls last, provider, id`
}

/** All that is known about some subscriptions, each in order. */
export function eventsOf(tx: Transaction, keys: Key[]) {
  return tx<(Happened & { provider: string; subscription: string })[]>`
    select e.provider, e.subscription, e.id, e.occurred_at as "occurredAt", e.rank, e.change
    from billing_events e
    join ${keysIn(tx, keys)} on k.provider = e.provider and k.id = e.subscription
    order by e.provider, e.subscription, e.occurred_at, e.rank, e.id`
}

export function saveSubscriptions(tx: Transaction, all: KeptSubscription[]) {
  return tx`
    insert into billing_subscriptions
    select * from jsonb_populate_recordset(null::billing_subscriptions, ${tx.json(all as never)})
    on conflict (provider, id) do update set
      org_id = excluded.org_id, plan = excluded.plan, status = excluded.status, started_at = excluded.started_at,
      period_start = excluded.period_start, period_end = excluded.period_end,
      past_due_since = excluded.past_due_since, ends_at = excluded.ends_at, last_at = excluded.last_at,
      last_rank = excluded.last_rank, last_event = excluded.last_event`
}

export type StoredBillingEvent = Key & { scheme: string; body: Buffer }

/** Events in the order of their keys, from behind one on. */
export function someEvents(
  tx: Transaction,
  { provider, id }: Key,
  limit: number,
): Promise<StoredBillingEvent[]> {
  return tx<StoredBillingEvent[]>`
    select provider, id, scheme, body from billing_events where (provider, id) > (${provider}, ${id})
    order by provider, id limit ${limit}`
}

export async function setMeanings(tx: Transaction, events: (Key & Meaning)[]): Promise<void> {
  await tx`
    update billing_events e set type = n.type, rank = n.rank, subscription = n.subscription, change = n.change
    from jsonb_to_recordset(${rowsOf(tx, events)})
      as n (provider text, id text, type text, rank smallint, subscription text, change jsonb)
    where e.provider = n.provider and e.id = n.id
      and (e.type, e.rank, e.subscription, e.change) is distinct from (n.type, n.rank, n.subscription, n.change)`
}

/** Forgets what events added up to, and answers whose it was. */
export async function forgetSubscriptions(tx: Transaction): Promise<OrganizationId[]> {
  const rows = await tx<{ org_id: OrganizationId }[]>`
    with gone as (delete from billing_subscriptions returning org_id)
    select distinct org_id from gone where org_id is not null`
  return rows.map(({ org_id }) => org_id)
}

/** Forgets those that no event is about any more. */
export async function deleteSubscriptions(tx: Transaction, keys: Key[]): Promise<void> {
  await tx`
    delete from billing_subscriptions s using ${keysIn(tx, keys)} where s.provider = k.provider and s.id = k.id`
}

/** Of all that there are events of. */
export function allSubscriptions(tx: Transaction): Promise<Key[]> {
  return tx<Key[]>`
    select distinct provider, subscription as id from billing_events where subscription is not null order by 1, 2`
}
