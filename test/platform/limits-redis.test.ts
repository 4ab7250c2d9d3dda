import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisLimiter } from '../../server/platform/limits/redis.ts'
import { composeForTest } from '../support/in-process.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { limiterContract } from './limits.contract.ts'

test('CI has a Redis to test against', () => {
  if (process.env.CI) expect(hasRedis).toBe(true)
})

describe.runIf(hasRedis)('with a real Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  limiterContract('redis', async (clock) => {
    await redis.clear()
    return redisLimiter(redis.url, clock)
  })

  test('two processes share one quota', async () => {
    await redis.clear()
    const clock = () => 1_800_000_000_000
    const [one, two] = [redisLimiter(redis.url, clock), redisLimiter(redis.url, clock)]
    const bucket = { key: 'shared', quota: 10, seconds: 60 }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).take([bucket])),
    )
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(10)
    await Promise.all([one.close(), two.close()])
  })

  test('readiness checks it; without it requests are refused, not let through', async () => {
    const own = await startRedis()
    const { api } = await composeForTest({ env: { MARQUEE_REDIS_URL: own.url } })
    expect((await api.get('/readyz')).body).toEqual({
      status: 'ready',
      engines: { postgres: 'ok', objects: 'ok', events: 'ok', redis: 'ok' },
    })
    expect((await api.get('/project')).headers.get('ratelimit')).toBe('"key";r=999;t=60')
    await own.stop()
    expect((await api.get('/readyz')).body).toMatchObject({
      code: 503,
      details: 'postgres: ok, objects: ok, events: ok, redis: unavailable',
    })
    expect((await api.get('/project')).status).toBe(503)
  })
})
