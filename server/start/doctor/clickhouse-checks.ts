import type { Config } from '../../config/config.ts'
import { type Check, ok, warn } from './check.ts'

/** Each server of ClickHouse by itself: what a start checks, and that rows come and go. */
export function clickHouseChecks(config: Config): Check[] {
  const { clickhouseShards: shards, clickhouseDatabase: database, clickhouseCluster: cluster } = config
  const checkOf = (url: string, shard: number, replicas: number): Check => ({
    name: `clickhouse ${new URL(url).host}`,
    todo: `Check MARQUEE_CLICKHOUSE_URL, MARQUEE_CLICKHOUSE_USER and MARQUEE_CLICKHOUSE_PASSWORD, and that it runs there; the user needs CREATE TABLE, DROP TABLE, INSERT and SELECT on "${database}"`,
    async look() {
      const { clickHouseClient } = await import('../../platform/events/clickhouse/client.ts')
      const { lookAtServer } = await import('../../platform/events/clickhouse/set-up.ts')
      const { clickhouseUser: user, clickhousePassword: password = '' } = config
      const client = clickHouseClient({ shards: [[url]], user, password })
      const place = { database, cluster }
      const { version, hasTables } = await lookAtServer({ client, shard, replicas }, place, {
        shards: shards.length,
      })
      if (hasTables) return ok(`version ${version}; a table made, written to and dropped`)
      return warn(
        `version ${version}; no tables in the database "${database}" yet`,
        'Start the service: it makes them',
      )
    },
  })
  return shards.flatMap((replicas, shard) => replicas.map((url) => checkOf(url, shard, replicas.length)))
}
