import { allow, type Caller } from '../base/caller.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { OrganizationId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Queryable, Sql } from '../platform/postgres/client.ts'
import type { BillingEventDetails, BillingEventList } from './event-schemas.ts'
import { type EventName, findEvents, listEvents } from './events-store.ts'

/** What the payment provider told of an organization's subscriptions. */
export async function listBillingEvents(
  caller: Caller,
  orgId: OrganizationId,
  page: Page,
  sql: Sql,
): Promise<BillingEventList> {
  allow(caller, 'billing:read', { orgId })
  const { data, total } = await listEvents(sql, orgId, page)
  return { data, pagination: { ...page, total } }
}

/** One with its body. That may say more of whoever pays than all who may read a plan should know. */
export async function showBillingEvent(
  caller: Caller,
  orgId: OrganizationId,
  name: EventName,
  sql: Sql,
): Promise<BillingEventDetails> {
  allow(caller, 'billing:write', { orgId })
  const { scheme: _, body, ...event } = await eventNamed(sql, orgId, name)
  return { ...event, body: body.toString() }
}

/** Throws 404 where the organization has none of this name, 400 where several providers have one. */
export async function eventNamed(sql: Queryable, orgId: OrganizationId, name: EventName) {
  const found = await findEvents(sql, orgId, name)
  if (found.length > 1)
    throw badRequest(
      `query.provider: name one of ${found.map(({ provider }) => provider).join(', ')}; each has an event of this id`,
    )
  if (!found[0]) throw notFound('no such event')
  return found[0]
}
