import type { Caller } from '../base/caller.ts'
import { allowOperator } from '../base/operator.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { historiesOf, organizationsIn, withEvents } from './keep-events.ts'
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
    await store.holdAllSubscriptions(tx)
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
    const subscriptions = await store.allSubscriptions(tx)
    for (let from = 0; from < subscriptions.length; from += AT_ONCE) {
      const some = subscriptions.slice(from, from + AT_ONCE)
      const histories = await historiesOf(tx, some)
      await store.saveSubscriptions(
        tx,
        some.map((key) => withEvents(store.newSubscription(key), histories.get(store.keyText(key))!)),
      )
      for (const orgId of organizationsIn([...histories.values()].flat().map(({ change }) => change)))
        orgIds.add(orgId)
    }
    await settlePlans(tx, [...orgIds], { graceSeconds })
    return { events, subscriptions: subscriptions.length, organizations: orgIds.size }
  })
}
