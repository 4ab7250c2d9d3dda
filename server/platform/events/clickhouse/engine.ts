import { EventsUnavailable } from '../errors.ts'
import type { EventEngine } from '../port.ts'
import { readProgress } from './batches.ts'
import { type ClientOptions, clickHouseClient } from './client.ts'
import { eraseEvents } from './erase.ts'
import { askFunnel } from './funnel.ts'
import { askHeat } from './heat.ts'
import { loadBatch } from './load.ts'
import { askOverview } from './overview.ts'
import { askQuality } from './quality.ts'
import { askActivity, askContents, askRealtime, askRetention } from './reports.ts'
import { setUp, type TablePlace, tablesOf } from './schema.ts'
import { askValues } from './values.ts'

export interface ClickHouseOptions extends ClientOptions, TablePlace {
  /** Lets one process at a time set up and load, of all that use the database. */
  lock<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Events in ClickHouse: one server, or the shards of a cluster. Where they are away it opens all the same, and
 * sets them up once they are there; what is wrong in the configuration is said at once.
 */
export async function openClickHouse(options: ClickHouseOptions): Promise<EventEngine> {
  const client = clickHouseClient(options)
  const tables = tablesOf(options)
  let settingUp: Promise<void> | undefined

  function ready(): Promise<void> {
    settingUp ??= options
      .lock(() => setUp(client, options))
      .catch((error) => {
        settingUp = undefined
        throw error
      })
    return settingUp
  }
  await ready().catch((error) => {
    if (!(error instanceof EventsUnavailable)) throw error
  })

  return {
    async funnel(scope, range, query, signal) {
      await ready()
      return askFunnel(client.until(signal), tables, scope, range, query)
    },
    async contents(scope, range, query, signal) {
      await ready()
      return askContents(client.until(signal), tables, scope, range, query)
    },
    async heat(scope, range, query, signal) {
      await ready()
      return askHeat(client.until(signal), tables, scope, range, query)
    },
    async quality(scope, range, query, signal) {
      await ready()
      return askQuality(client.until(signal), tables, scope, range, query)
    },
    async activity(scope, range, interval, signal) {
      await ready()
      return askActivity(client.until(signal), tables, scope, range, interval)
    },
    async overview(scope, range, query, signal) {
      await ready()
      return askOverview(client.until(signal), tables, scope, range, query)
    },
    async values(scope, range, query, signal) {
      await ready()
      return askValues(client.until(signal), tables, scope, range, query)
    },
    async realtime(scope, range, _query, signal) {
      await ready()
      return askRealtime(client.until(signal), tables, scope, range)
    },
    async retention(scope, range, interval, signal) {
      await ready()
      return askRetention(client.until(signal), tables, scope, range, interval)
    },
    async position(spool) {
      await ready()
      const { position } = await readProgress(client, tables, spool)
      return position
    },
    async load(chunk) {
      await ready()
      return options.lock(() => loadBatch(client, tables, chunk))
    },
    async erase(scope) {
      await ready()
      await eraseEvents(client, tables, options, scope)
    },
    async check() {
      await ready()
      await Promise.all(Array.from({ length: client.shards }, (_, shard) => client.run(shard, 'SELECT 1')))
    },
    async close() {},
  }
}
