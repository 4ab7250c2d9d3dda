import type { OrganizationId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Queryable } from '../platform/postgres/client.ts'
import type { SubscriptionChange } from './events.ts'

export interface ListedEvent {
  provider: string
  id: string
  type: string
  subscription_id: string
  occurred_at: string
  received_at: string
  change: SubscriptionChange
}

/**
 * Events of an organization: those that name it, and those that name none and are of a subscription that was its own
 * then, or before anybody's became its own. A subscription that has moved on takes nothing of it along.
 */
const ofOrganization = (sql: Queryable, orgId: OrganizationId) => sql`
  (select distinct provider, subscription from billing_events where change is not null and change ->> 'org_id' = ${orgId}) own
  join billing_events e on e.provider = own.provider and e.subscription = own.subscription
  cross join lateral (select coalesce(
    e.change ->> 'org_id',
    (select b.change ->> 'org_id' from billing_events b
      where b.provider = e.provider and b.subscription = e.subscription and b.change ? 'org_id'
        and (b.occurred_at, b.rank, b.id) < (e.occurred_at, e.rank, e.id)
      order by b.occurred_at desc, b.rank desc, b.id desc limit 1),
    (select b.change ->> 'org_id' from billing_events b
      where b.provider = e.provider and b.subscription = e.subscription and b.change ? 'org_id'
      order by b.occurred_at, b.rank, b.id limit 1)) as org_id) whose
  where whose.org_id = ${orgId}`

const columns = (sql: Queryable) => sql`
  e.provider, e.id, e.type, e.subscription as subscription_id, e.occurred_at, e.received_at, e.change`

/** The latest first. */
export async function listEvents(sql: Queryable, orgId: OrganizationId, page: Page) {
  const data = await sql<ListedEvent[]>`
    select ${columns(sql)} from ${ofOrganization(sql, orgId)}
    order by e.occurred_at desc, e.rank desc, e.id desc limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`select count(*) as total from ${ofOrganization(sql, orgId)}`
  return { data, total: count!.total }
}

/** By the provider's id for it, which two providers may have given; with the bytes that were signed. */
export function findEvents(sql: Queryable, orgId: OrganizationId, { id, provider }: EventName) {
  return sql<(ListedEvent & { scheme: string; body: Buffer })[]>`
    select ${columns(sql)}, e.scheme, e.body from ${ofOrganization(sql, orgId)}
      and e.id = ${id} and (${provider ?? null}::text is null or e.provider = ${provider ?? null})
    order by e.provider`
}

export interface EventName {
  id: string
  provider?: string
}
