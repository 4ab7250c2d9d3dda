import type { Queryable, Transaction } from '../platform/postgres/client.ts'
import { type BillingEvent, type Happened, type Meaning, RANK } from './events.ts'
import type { Subscription } from './subscription.ts'

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

export const keyText = ({ provider, id }: Key) => `${provider} ${id}`

const columns = (sql: Queryable) => sql`
  provider, id, org_id, plan, status, started_at, period_start, period_end, past_due_since, ends_at, last_at,
  last_rank, last_event`

const rankOf = ({ change }: Meaning) => (change ? RANK[change.kind] : 0)

/**
 * Stores those events that are not there yet, begins the subscriptions that they are the first of, and answers
 * the keys of the events. Everybody takes events before subscriptions, and each in one order, so that no two
 * wait for each other.
 */
export async function insertEvents(tx: Transaction, events: BillingEvent[]): Promise<Set<string>> {
  const rows = await tx<Key[]>`
    with fresh as (
      insert into billing_events (provider, id, scheme, type, occurred_at, rank, subscription, change, body)
      select * from unnest(${events.map((e) => e.provider)}::text[], ${events.map((e) => e.id)}::text[],
        ${events.map((e) => e.scheme)}::text[], ${events.map((e) => e.type)}::text[],
        ${events.map((e) => e.occurredAt)}::timestamptz[], ${events.map(rankOf)}::smallint[],
        ${events.map((e) => e.subscription)}::text[], ${events.map(changeText)}::jsonb[],
        ${bytesOf(tx, events)}::bytea[]) as e (provider, id)
      order by e.provider collate "C", e.id collate "C"
      on conflict do nothing returning provider, id, subscription),
    begun as (
      insert into billing_subscriptions (provider, id)
      select distinct provider, subscription from fresh where subscription is not null order by 1, 2
      on conflict do nothing)
    select provider, id from fresh`
  return new Set(rows.map(keyText))
}

/** Nobody else changes them until the transaction ends. */
export function lockSubscriptions(tx: Transaction, keys: Key[]): Promise<KeptSubscription[]> {
  return tx<KeptSubscription[]>`
    select ${columns(tx)} from billing_subscriptions
    where (provider, id) in (
      select * from unnest(${keys.map((k) => k.provider)}::text[], ${keys.map((k) => k.id)}::text[]))
    order by provider, id for no key update`
}

const BYTEA = 17

/** The driver takes a list for what its first item is; of bytes it has to be told that they are many. */
function bytesOf(tx: Transaction, events: BillingEvent[]) {
  return tx.array(
    events.map(({ body }) => body),
    BYTEA,
  )
}

/** The driver writes jsonb from what JSON.stringify makes of a value; an object is one already. */
function changeText({ change }: Meaning): never {
  return change as never
}

/** All that is known about some subscriptions, each in order. */
export function eventsOf(tx: Transaction, keys: Key[]) {
  return tx<(Happened & { provider: string; subscription: string })[]>`
    select e.provider, e.subscription, e.id, e.occurred_at as "occurredAt", e.rank, e.change
    from billing_events e
    join unnest(${keys.map((k) => k.provider)}::text[], ${keys.map((k) => k.id)}::text[]) as k (provider, id)
      on k.provider = e.provider and k.id = e.subscription
    order by e.provider, e.subscription, e.occurred_at, e.rank, e.id`
}

export function saveSubscriptions(tx: Transaction, all: KeptSubscription[]) {
  return tx`
    update billing_subscriptions s set
      org_id = n.org_id, plan = n.plan, status = n.status, started_at = n.started_at,
      period_start = n.period_start, period_end = n.period_end, past_due_since = n.past_due_since,
      ends_at = n.ends_at, last_at = n.last_at, last_rank = n.last_rank, last_event = n.last_event
    from unnest(${all.map((s) => s.provider)}::text[], ${all.map((s) => s.id)}::text[],
      ${all.map((s) => s.org_id)}::text[], ${all.map((s) => s.plan)}::text[], ${all.map((s) => s.status)}::text[],
      ${all.map((s) => s.started_at)}::timestamptz[], ${all.map((s) => s.period_start)}::timestamptz[],
      ${all.map((s) => s.period_end)}::timestamptz[], ${all.map((s) => s.past_due_since)}::timestamptz[],
      ${all.map((s) => s.ends_at)}::timestamptz[], ${all.map((s) => s.last_at)}::timestamptz[],
      ${all.map((s) => s.last_rank)}::smallint[], ${all.map((s) => s.last_event)}::text[])
      as n (provider, id, org_id, plan, status, started_at, period_start, period_end, past_due_since, ends_at,
        last_at, last_rank, last_event)
    where s.provider = n.provider and s.id = n.id`
}

export function subscriptionsOf(sql: Queryable, orgIds: string[]): Promise<KeptSubscription[]> {
  return sql<KeptSubscription[]>`
    select ${columns(sql)} from billing_subscriptions where org_id = any(${orgIds})
    order by started_at desc nulls last, provider, id`
}

/** Events may be read but not stored until the transaction ends. */
export async function holdDeliveries(tx: Transaction): Promise<void> {
  await tx`lock table billing_events in share row exclusive mode`
}

export type StoredEvent = Key & { scheme: string; body: Buffer }

/** Events in the order of their keys, from behind one on. */
export function someEvents(tx: Transaction, { provider, id }: Key, limit: number): Promise<StoredEvent[]> {
  return tx<StoredEvent[]>`
    select provider, id, scheme, body from billing_events where (provider, id) > (${provider}, ${id})
    order by provider, id limit ${limit}`
}

export async function setMeanings(tx: Transaction, events: (Key & Meaning)[]): Promise<void> {
  await tx`
    update billing_events e set type = n.type, rank = n.rank, subscription = n.subscription, change = n.change
    from unnest(${events.map((e) => e.provider)}::text[], ${events.map((e) => e.id)}::text[],
      ${events.map((e) => e.type)}::text[], ${events.map(rankOf)}::smallint[],
      ${events.map((e) => e.subscription)}::text[], ${events.map(changeText)}::jsonb[])
      as n (provider, id, type, rank, subscription, change)
    where e.provider = n.provider and e.id = n.id
      and (e.type, e.rank, e.subscription, e.change) is distinct from (n.type, n.rank, n.subscription, n.change)`
}

/** Forgets what events added up to, and answers whose it was. */
export async function forgetSubscriptions(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ org_id: string }[]>`
    with gone as (delete from billing_subscriptions returning org_id)
    select distinct org_id from gone where org_id is not null`
  return rows.map(({ org_id }) => org_id)
}

/** Those that there are events of, with nothing known about them yet. */
export function beginSubscriptions(tx: Transaction): Promise<KeptSubscription[]> {
  return tx<KeptSubscription[]>`
    insert into billing_subscriptions (provider, id)
    select distinct provider, subscription from billing_events where subscription is not null order by 1, 2
    returning ${columns(tx)}`
}
