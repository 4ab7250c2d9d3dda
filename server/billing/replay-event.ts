import { allow, type Caller } from '../base/caller.ts'
import { conflict } from '../base/errors.ts'
import type { OrganizationId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { BillingEventRecord } from './event-schemas.ts'
import type { EventName } from './events-store.ts'
import { historiesOf, organizationsIn, withEvents } from './keep-events.ts'
import type { Prices } from './schemes/scheme.ts'
import { schemeOf } from './schemes/schemes.ts'
import { type Grace, settlePlans } from './settle-plans.ts'
import { eventNamed } from './show-events.ts'
import * as store from './store.ts'

export interface ReplayEventDeps extends Grace {
  sql: Sql
  /** Undefined where the component that knows them runs elsewhere. */
  prices: Prices | undefined
}

/**
 * Does again what one stored event says, from its own bytes, by today's settings, and adds up its subscription anew. Under
 * the same settings that ends where it began. Webhooks about the same subscription wait meanwhile.
 */
export async function replayBillingEvent(
  caller: Caller,
  orgId: OrganizationId,
  name: EventName,
  { sql, prices, graceSeconds }: ReplayEventDeps,
): Promise<BillingEventRecord> {
  allow(caller, 'billing:write', { orgId })
  if (!prices) throw conflict('events are read by the billing component, which runs elsewhere: replay there')
  return sql.begin(async (tx) => {
    const { scheme, body, ...event } = await eventNamed(tx, orgId, name)
    const { provider, id } = event
    const meaning = schemeOf(scheme)!.meaningOf(JSON.parse(body.toString()), prices)
    const keys = [...new Set([event.subscription_id, meaning.subscription ?? event.subscription_id])].map(
      (subscription) => ({ provider, id: subscription }),
    )
    // Before events, as everybody does.
    await store.holdSubscriptions(tx, keys)
    await store.setMeanings(tx, [{ provider, id, ...meaning }])
    const before = await store.subscriptionsWith(tx, keys)
    const histories = await historiesOf(tx, keys)
    await store.deleteSubscriptions(tx, keys)
    await store.saveSubscriptions(
      tx,
      keys.flatMap((key) => {
        const history = histories.get(store.keyText(key))
        return history ? [withEvents(store.newSubscription(key), history)] : []
      }),
    )
    const named = [...histories.values()].flat().map(({ change }) => change)
    await settlePlans(tx, organizationsIn([{ org_id: orgId }, ...before, ...named]), { graceSeconds })
    return { ...event, type: meaning.type, change: meaning.change ?? event.change }
  })
}
