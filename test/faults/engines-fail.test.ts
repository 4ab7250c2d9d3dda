import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findClickHouseCluster, newDatabase } from '../events/clickhouse-cluster.ts'
import { findS3Server, s3Settings } from '../platform/objects-s3-server.ts'
import type { Api } from '../support/api.ts'
import { faultyProxy, through, WAYS } from '../support/faulty-proxy.ts'
import { problemsOf } from '../support/history.ts'
import { historyClient, readBack, refusedOf } from '../support/history-client.ts'
import { startPostgres } from '../support/postgres.ts'
import { smallJpeg } from '../support/posts.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'

const s3 = findS3Server()
const clickHouse = findClickHouseCluster()
const IS_LONG = Boolean(process.env.MARQUEE_TEST_LONG)
const CLIENTS = IS_LONG ? 4 : 2
/** So often each client tries while an engine fails. */
const TRIES = IS_LONG ? 8 : 1

describe.skipIf('missing' in s3 || 'missing' in clickHouse || !hasRedis)(
  'engines by address that fail',
  () => {
    if ('missing' in s3 || 'missing' in clickHouse) return
    afterAll(() => {
      s3.stop()
      clickHouse.destroy()
    })

    test('away, slow, cut off in an answer, answering garbage: what was acknowledged is there, the rest is a 503', {
      timeout: 600_000,
    }, async () => {
      const [postgres, redis] = [await startPostgres(), await startRedis()]
      const before = (address: string) => {
        const { hostname: host, port } = new URL(address)
        return faultyProxy({ host, port: Number(port) })
      }
      const proxies = {
        postgres: await before(postgres.url),
        redis: await before(redis.url),
        s3: await before(s3.endpoint),
        clickHouse: await before(clickHouse.urls[0]!),
      }
      const dataDir = emptyDataDir()
      const service = await startService({
        dataDir,
        env: {
          MARQUEE_DATABASE_URL: through(postgres.url, proxies.postgres),
          MARQUEE_REDIS_URL: through(redis.url, proxies.redis),
          ...s3Settings({ ...s3, endpoint: through(s3.endpoint, proxies.s3) }),
          MARQUEE_S3_DIRECT_UPLOADS: 'false',
          MARQUEE_CLICKHOUSE_URL: [through(clickHouse.urls[0]!, proxies.clickHouse), clickHouse.urls[1]].join(
            ',',
          ),
          MARQUEE_CLICKHOUSE_CLUSTER: clickHouse.cluster,
          MARQUEE_CLICKHOUSE_USER: clickHouse.user,
          MARQUEE_CLICKHOUSE_PASSWORD: clickHouse.password,
          MARQUEE_CLICKHOUSE_DATABASE: newDatabase(),
          MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
        },
      })
      onTestFinished(async () => {
        await service.stop()
        await Promise.all([redis.stop(), postgres.stop()])
        discard(dataDir)
      })
      const { api } = service
      const client = historyClient(service)
      const photo = new Uint8Array(await smallJpeg())
      /** What each client does once; what was not acknowledged of it. */
      const round = async () =>
        refusedOf((await Promise.all(Array.from({ length: CLIENTS }, () => client.round(photo)))).flat())
      expect(await round()).toEqual([])

      for (const [engine, proxy] of Object.entries(proxies))
        for (const way of WAYS) {
          proxy.fail(way)
          const refused: string[] = []
          for (let i = 0; i < TRIES; i++) refused.push(...(await round()))
          // What is slow only is waited for, and events are kept on the disk until ClickHouse takes them: it has to ask for that.
          if (way !== 'slow' && engine !== 'clickHouse') expect(refused, `${engine} ${way}`).not.toEqual([])
          await expect.poll(() => proxy.failures(), { message: `${engine} ${way}` }).toBeGreaterThan(0)
          proxy.fail(undefined)
          // Without a hand: a connection of before may still be found broken, and then that is a 503 as well.
          const isWell = async () => (await api.get('/readyz')).status === 200 && (await reads(api))
          await expect.poll(isWell, { message: `${engine} ${way}` }).toBe(true)
          await expect.poll(round, { message: `after ${engine} ${way}` }).toEqual([])
        }
      expect(problemsOf({ deeds: client.deeds, found: await readBack(service, client.deeds) })).toEqual([])
    })
  },
)

async function reads(api: Api): Promise<boolean> {
  const [images, figures] = [await api.get('/images'), await api.get('/analytics/v1/top/videos')]
  return images.status === 200 && figures.status === 200
}
