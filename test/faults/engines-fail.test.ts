import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findClickHouseCluster, newDatabase } from '../events/clickhouse-cluster.ts'
import { findS3Server, s3Settings } from '../platform/objects-s3-server.ts'
import type { Api } from '../support/api.ts'
import { videoOf, watchesOf, watching } from '../support/events.ts'
import { faultyProxy, through, WAYS } from '../support/faulty-proxy.ts'
import { type Deed, type Found, problemsOf } from '../support/history.ts'
import { local, uploaderOf } from '../support/media.ts'
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
      const client = clientOf(api)
      const photo = new Uint8Array(await smallJpeg())
      const round = () =>
        Promise.all(
          Array.from({ length: CLIENTS }, async () => {
            await client.sendEvent()
            await client.sendImage(photo)
          }),
        )
      await round()

      for (const [engine, proxy] of Object.entries(proxies))
        for (const way of WAYS) {
          proxy.fail(way)
          for (let i = 0; i < TRIES; i++) await round()
          proxy.fail(undefined)
          // Without a hand: a connection of before may still be found broken, and then that is a 503 as well.
          const failing = async () => {
            const from = client.deeds.length
            await round()
            return client.deeds
              .slice(from)
              .flatMap(({ kind, status }) => (status < 300 ? [] : `${kind} ${status}`))
          }
          const isWell = async () => (await api.get('/readyz')).status === 200 && (await reads(api))
          await expect.poll(isWell, { message: `${engine} ${way}` }).toBe(true)
          await expect.poll(failing, { message: `after ${engine} ${way}` }).toEqual([])
        }
      expect(problemsOf({ deeds: client.deeds, found: await found(api, client.deeds) })).toEqual([])
    })
  },
)

async function reads(api: Api): Promise<boolean> {
  const [images, figures] = [await api.get('/images'), await api.get('/analytics/v1/top/videos')]
  return images.status === 200 && figures.status === 200
}

/** Does things, and writes down what it was answered. */
function clientOf(api: Api) {
  const deeds: Deed[] = []
  const { init, put, complete } = uploaderOf(api)
  let events = 0
  const note = (kind: Deed['kind'], id: string | undefined, answer: { status: number; headers: Headers }) => {
    deeds.push({ kind, id, status: answer.status, retryAfter: answer.headers.get('retry-after') })
    return answer.status < 300
  }
  return {
    deeds,
    async sendEvent() {
      const video = videoOf(++events)
      note('event', video, await api.post('/analytics/v1/events', watching(video, 1, { user_id: 'ann' })))
    },
    async sendImage(photo: Uint8Array<ArrayBuffer>) {
      const begun = await init()
      if (begun.status !== 200) return note('image', undefined, begun)
      const sent = await put(begun.body.presigned_url, photo)
      if (sent.status !== 200) return note('image', begun.body.image_id, sent)
      return note('image', begun.body.image_id, await complete(begun.body.image_id))
    },
  }
}

async function found(api: Api, deeds: readonly Deed[]): Promise<Found> {
  const images: Found['images'] = new Map()
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { body } = await api.get(`/images?limit=100&offset=${offset}`)
    total = body.pagination.total
    for (const { id } of body.data) images.set(id, { isWhole: await isWhole(api, id) })
  }
  const sent = deeds.flatMap(({ kind, id }) => (kind === 'event' && id ? [id] : []))
  const events = new Map<string, number>()
  for (const video of sent) events.set(video, await watchesOf(api, video))
  return { images, events }
}

/** Whether an image can be had as it is said to be. A smaller encoding may take its place between the two looks. */
async function isWhole(api: Api, id: string): Promise<boolean> {
  for (let look = 0; look < 5; look++) {
    const { file } = (await api.get(`/images/${id}`)).body
    const answer = await fetch(local(file.url))
    const { byteLength } = await answer.arrayBuffer()
    if (answer.status === 200 && byteLength === file.size) return true
  }
  return false
}
