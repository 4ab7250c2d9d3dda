import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findClickHouseCluster, newDatabase } from '../events/clickhouse-cluster.ts'
import { findS3Server, s3Settings } from '../platform/objects-s3-server.ts'
import { apiOf, key } from '../support/api.ts'
import { type Deed, isAcknowledged, problemsOf } from '../support/history.ts'
import { historyClient, readBack, refusedOf } from '../support/history-client.ts'
import { startPostgres } from '../support/postgres.ts'
import { smallJpeg } from '../support/posts.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { canHaveMachines, type Lost, type Machine, machinesForTest } from '../support/scale/machines.ts'
import { discard, emptyDataDir, type StartOptions, startService } from '../support/service.ts'

const s3 = findS3Server()
const clickHouse = findClickHouseCluster()
const canRun = !('missing' in s3) && !('missing' in clickHouse) && hasRedis && canHaveMachines
const IS_LONG = Boolean(process.env.MARQUEE_TEST_LONG)
/** So long a client waits: for an answer that cannot come, and for one that has to. */
const [IN_VAIN_MS, PATIENCE_MS] = [3000, 60_000]
/** So many rounds go well before and after each cut. */
const ROUNDS = IS_LONG ? 5 : 1

const BOTH: Lost = ['said', 'heard']
type Engine = 'postgres' | 'redis' | 's3' | 'clickHouse'
interface Cut {
  name: string
  /** What the first api loses; all, its clients among it, where nothing is named. */
  engine?: Engine
  lost?: Lost
  isLong?: boolean
}
const CUTS: Cut[] = [
  { name: 'from everything' },
  { name: 'from PostgreSQL', engine: 'postgres', lost: BOTH },
  { name: 'from Redis', engine: 'redis', lost: BOTH },
  { name: 'one way: what PostgreSQL answers is lost', engine: 'postgres', lost: ['heard'] },
  { name: 'one way: what PostgreSQL is asked is lost', engine: 'postgres', lost: ['said'], isLong: true },
  { name: 'one way: what Redis answers is lost', engine: 'redis', lost: ['heard'], isLong: true },
  { name: 'from S3', engine: 's3', lost: BOTH, isLong: true },
  { name: 'one way: what S3 answers is lost', engine: 's3', lost: ['heard'], isLong: true },
]

describe.skipIf(!canRun)('networks between processes that come apart', () => {
  if ('missing' in s3 || 'missing' in clickHouse) return
  afterAll(() => {
    s3.stop()
    clickHouse.destroy()
  })

  /** Two processes that answer and one that works, each on a machine of its own, and engines each at an address of its own. */
  async function installation() {
    if ('missing' in s3 || 'missing' in clickHouse) throw new Error('unreachable')
    const { machines, reached, ownAddress } = machinesForTest(3)
    const at = { postgres: ownAddress(), redis: ownAddress(), s3: ownAddress(), clickHouse: ownAddress() }
    // These two themselves, not something between: it is they who are not told that a client is gone.
    const postgres = await startPostgres({
      access: 'host all all 0.0.0.0/0 trust',
      settings: [`listen_addresses=127.0.0.1,${at.postgres}`],
    })
    const redis = await startRedis([at.redis])
    const on = (address: string, host: string) => address.replace('127.0.0.1', host)
    const clickHouses = clickHouse.urls.map((url) => reached(url, at.clickHouse))
    const env = {
      MARQUEE_HOST: '0.0.0.0',
      MARQUEE_PORT: '8080',
      MARQUEE_DATABASE_URL: on(postgres.url, at.postgres),
      MARQUEE_REDIS_URL: on(redis.url, at.redis),
      ...s3Settings({ ...s3, endpoint: await reached(s3.endpoint, at.s3) }),
      MARQUEE_S3_DIRECT_UPLOADS: 'false',
      MARQUEE_CLICKHOUSE_URL: (await Promise.all(clickHouses)).join(','),
      MARQUEE_CLICKHOUSE_CLUSTER: clickHouse.cluster,
      MARQUEE_CLICKHOUSE_USER: clickHouse.user,
      MARQUEE_CLICKHOUSE_PASSWORD: clickHouse.password,
      MARQUEE_CLICKHOUSE_DATABASE: newDatabase(),
      MARQUEE_LIMIT_KEY_PER_MINUTE: '100000',
    }
    const stops: (() => Promise<unknown>)[] = [() => postgres.stop(), () => redis.stop()]
    onTestFinished(async () => {
      for (const stop of stops.reverse()) await stop()
    })
    const start = async (roles: string, machine: Machine) => {
      const dataDir = emptyDataDir()
      const how: StartOptions = { dataDir, env: { ...env, MARQUEE_ROLES: roles }, within: machine.within }
      const service = await startService(how)
      stops.push(async () => {
        await service.stop('SIGKILL')
        discard(dataDir)
      })
      return { service, machine, url: `http://${machine.address}:8080` }
    }
    const first = await start('api', machines[0]!)
    const api = (url: string) => apiOf(url, key(first.service.quickstart.api_key))
    const others = [await start('api', machines[1]!), await start('worker', machines[2]!)]
    const [cut, whole] = [first, others[0]!].map(({ url, machine }) => ({ url, api: api(url), machine }))
    return { cut: cut!, whole: whole!, at }
  }

  test('what was acknowledged is there, who is cut off says so, and the others go on', {
    timeout: IS_LONG ? 1_800_000 : 400_000,
  }, async () => {
    const { cut, whole, at } = await installation()
    const photo = new Uint8Array(await smallJpeg())
    const [here, there] = [historyClient(cut), historyClient(whole)]
    const both = async () =>
      refusedOf((await Promise.all([here.round(photo, PATIENCE_MS), there.round(photo)])).flat())
    expect(await both()).toEqual([])

    for (const { name, engine, lost } of CUTS.filter(({ isLong }) => IS_LONG || !isLong)) {
      if (engine) cut.machine.lose(at[engine], lost!)
      else cut.machine.cutOff()
      const refused: Deed[] = []
      const isRefused = (deed: Deed) => !isAcknowledged(deed)
      for (let round = 0; refused.length === 0 && round < 5; round++) {
        const patience = engine ? PATIENCE_MS : IN_VAIN_MS
        const [cutOff, others] = await Promise.all([here.round(photo, patience), there.round(photo)])
        expect(refusedOf(others), `${name}: at the other`).toEqual([])
        refused.push(...cutOff.filter(isRefused))
      }
      // Whom its clients reach says that it cannot; it does not leave them waiting.
      expect(new Set(refused.map(({ status }) => status)), name).toEqual(new Set([engine ? 503 : undefined]))
      if (engine) cut.machine.heal()
      else cut.machine.reconnect()
      const isReady = async () => (await fetch(`${cut.url}/readyz`)).status
      await expect.poll(isReady, { message: name }).toBe(200)
      await expect.poll(both, { message: `after ${name}` }).toEqual([])
      for (let round = 1; round < ROUNDS; round++) expect(await both(), `after ${name}`).toEqual([])
    }
    const deeds = [...here.deeds, ...there.deeds]
    expect(problemsOf({ deeds, found: await readBack(whole, deeds) })).toEqual([])
    expect(problemsOf({ deeds, found: await readBack(cut, deeds) })).toEqual([])
  })
})
