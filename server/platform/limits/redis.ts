import { Redis } from 'ioredis'
import { unavailable } from '../../base/errors.ts'
import type { Clock, Limiter, Taken } from './port.ts'

/**
 * All buckets are read, judged and counted in one script, so that no two processes take the last
 * place of a window. A window is a hash of when it closes and how many were taken.
 * ARGV: now in ms, or nothing for the clock of Redis, then quota and seconds for each key. Answers: allowed and now, then
 * taken and closesAt for each.
 */
const TAKE = `
local now, allowed, windows = tonumber(ARGV[1]), 1, {}
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
for i, key in ipairs(KEYS) do
  local quota, seconds = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local known = redis.call('HMGET', key, 'closesAt', 'taken')
  local closesAt, taken = tonumber(known[1]), tonumber(known[2])
  if not closesAt or closesAt <= now then closesAt, taken = now + seconds * 1000, 0 end
  if taken >= quota then allowed = 0 end
  windows[i] = { closesAt, taken, seconds }
end
local answer = { allowed, tostring(now) }
for i, key in ipairs(KEYS) do
  local closesAt, taken, seconds = windows[i][1], windows[i][2], windows[i][3]
  if allowed == 1 then
    taken = taken + 1
    redis.call('HSET', key, 'closesAt', closesAt, 'taken', taken)
    redis.call('EXPIRE', key, seconds + 60)
  end
  answer[#answer + 1] = taken
  answer[#answer + 1] = tostring(closesAt)
end
return answer
`

/** Windows in Redis: one count for all processes, by the clock of Redis, since theirs differ. */
export function redisLimiter(url: string, clock?: Clock): Limiter {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    scripts: { take: { lua: TAKE } },
  }) as Redis & { take(keys: number, ...args: (string | number)[]): Promise<(number | string)[]> }
  // Each failed command rejects by itself; without a listener a lost connection would end the process.
  let trouble: Error | undefined
  redis.on('error', (error) => {
    trouble = error
  })

  return {
    async take(buckets): Promise<Taken> {
      if (buckets.length === 0) return { allowed: true, states: [] }
      const keys = buckets.map((bucket) => `marquee:limit:${bucket.key}`)
      const quotas = buckets.flatMap((bucket) => [bucket.quota, bucket.seconds])
      const taken = redis.take(keys.length, ...keys, clock?.() ?? '', ...quotas)
      const [allowed, now, ...windows] = await taken.catch(() => {
        throw unavailable('rate limits cannot be counted right now')
      })
      const states = buckets.map((bucket, i) => ({
        remaining: Math.max(0, bucket.quota - Number(windows[2 * i])),
        resetSeconds: Math.ceil((Number(windows[2 * i + 1]) - Number(now)) / 1000),
      }))
      return { allowed: allowed === 1, states }
    },
    async check() {
      // As a count is taken, for which more is needed than for an answer.
      await redis.take(1, 'marquee:limit:check', '', 1_000_000, 1).catch((error: Error) => {
        // That it was tried again says nothing; what went wrong is said by the connection.
        throw error.name === 'MaxRetriesPerRequestError' && trouble ? trouble : error
      })
    },
    async close() {
      redis.disconnect()
    },
  }
}
