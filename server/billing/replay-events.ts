import type { Caller } from '../base/caller.ts'
import { allowOperator } from '../base/operator.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { organizationsIn, withEvents } from './keep-events.ts'
import type { Prices } from './schemes/scheme.ts'
import { schemeOf } from './schemes/schemes.ts'
import { type Grace, settlePlans } from './settle-plans.ts'
import * as store from './store.ts'

export interface ReplayDeps extends Grace {
  sql: Sql
  prices: Prices
}

const AT_ONCE = 100
const FIRST = { provider: '', id: '' }

/**
 * Does again what all stored events say, from their own bytes, by today's settings. Under the same settings
 * that ends where it began. Webhooks wait meanwhile, and nobody sees a state in between.
 */
export async function replayEvents(caller: Caller, { sql, prices, graceSeconds }: ReplayDeps) {
  allowOperator(caller)
  return sql.begin(async (tx) => {
    await store.holdDeliveries(tx)
    let events = 0
    for (let after = FIRST, some = await store.someEvents(tx, after, AT_ONCE); some.length > 0; ) {
      events += some.length
      const read = some.map(({ provider, id, scheme, body }) => ({
        provider,
        id,
        ...schemeOf(scheme)!.meaningOf(JSON.parse(body.toString()), prices),
      }))
      await store.setMeanings(tx, read)
      after = some.at(-1)!
      some = await store.someEvents(tx, after, AT_ONCE)
    }
    const orgIds = new Set(await store.forgetSubscriptions(tx))
    const begun = await store.beginSubscriptions(tx)
    for (let from = 0; from < begun.length; from += AT_ONCE) {
      const some = begun.slice(from, from + AT_ONCE)
      const all = await store.eventsOf(tx, some)
      const histories = Map.groupBy(all, ({ provider, subscription }) =>
        store.keyText({ provider, id: subscription }),
      )
      await store.saveSubscriptions(
        tx,
        some.map((one) => withEvents(one, histories.get(store.keyText(one))!)),
      )
      for (const orgId of organizationsIn(all.map(({ change }) => change))) orgIds.add(orgId)
    }
    await settlePlans(tx, [...orgIds], { graceSeconds })
    return { events, subscriptions: begun.length, organizations: orgIds.size }
  })
}
