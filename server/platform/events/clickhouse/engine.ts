import { repeat } from '../../../base/async/repeat.ts'
import { EventsUnavailable } from '../errors.ts'
import type { EventEngine } from '../port.ts'
import { readProgress } from './batches.ts'
import { type ClientOptions, clickHouseClient, ONLY } from './client.ts'
import { countEvents, dumpEvents } from './dump.ts'
import { eraseEvents, newestOf } from './erase.ts'
import { askFunnel } from './funnel.ts'
import { askHeat } from './heat.ts'
import { loadBatch } from './load.ts'
import { askOverview } from './overview.ts'
import { askQuality } from './quality.ts'
import { askActivity, askContents, askRealtime, askRetention } from './reports.ts'
import { type ClickHouseServer, type TablePlace, tablesOf } from './schema.ts'
import { setUp } from './set-up.ts'
import { askValues } from './values.ts'

export interface ClickHouseOptions extends ClientOptions, TablePlace {
  /** Lets one process at a time set up and load, of all that use the database. */
  lock<T>(work: () => Promise<T>): Promise<T>
}

const LOOK_AGAIN_SECONDS = 30

/**
 * Events in ClickHouse: one server, or the shards of a cluster. Where they are away it opens all the same, and
 * sets them up once they are there; what is wrong in the configuration is said at once.
 */
export async function openClickHouse(options: ClickHouseOptions): Promise<EventEngine> {
  const client = clickHouseClient(options)
  const tables = tablesOf(options)
  let settingUp: Promise<void> | undefined
  /** Replicas that could not be set up, while others of their shard have everything. */
  let away: ClickHouseServer[] = []

  function ready(): Promise<void> {
    settingUp ??= setUpAll().catch((error) => {
      settingUp = undefined
      throw error
    })
    return settingUp
  }

  const setUpAll = () =>
    options.lock(async () => {
      away = await setUp(client, options)
    })

  /** Asked before, since nobody else can load meanwhile. */
  async function setUpReturned(): Promise<void> {
    const answers = away.map((server) =>
      server.client.run(ONLY, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    )
    if ((await Promise.all(answers)).some(Boolean)) await setUpAll()
  }
  await ready().catch((error) => {
    if (!(error instanceof EventsUnavailable)) throw error
  })
  const looking = repeat(LOOK_AGAIN_SECONDS, setUpReturned, () => {})

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
    async newest(events) {
      await ready()
      return newestOf(client, tables, events)
    },
    async erase(events) {
      await ready()
      await eraseEvents(client, tables, options, events)
    },
    async dump(events, file) {
      await ready()
      return dumpEvents(client, tables, events, file)
    },
    async count(events) {
      await ready()
      return countEvents(client, tables, events)
    },
    async check() {
      await ready()
      await Promise.all(Array.from({ length: client.shards }, (_, shard) => client.run(shard, 'SELECT 1')))
    },
    async close() {
      await looking.stop()
    },
  }
}
