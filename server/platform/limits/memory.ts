import type { Bucket, Clock, Limiter, Taken } from './port.ts'

interface Window {
  closesAt: number
  taken: number
}

const SWEEP_EVERY_MS = 60_000

/** A clock that is never set back: a window must not be open for the minutes by which the other one was wrong. */
const steadily: Clock = () => performance.now()

/** Windows in this process's memory: exact for one process, forgotten with it. */
export function memoryLimiter(clock = steadily): Limiter {
  const windows = new Map<string, Window>()
  let sweepAt = clock() + SWEEP_EVERY_MS

  /** The running window, or the one that would open now. */
  function current(bucket: Bucket, now: number): Window {
    const known = windows.get(bucket.key)
    return known && known.closesAt > now ? known : { closesAt: now + bucket.seconds * 1000, taken: 0 }
  }

  return {
    take(buckets): Taken {
      const now = clock()
      if (now >= sweepAt) {
        for (const [key, window] of windows) if (window.closesAt <= now) windows.delete(key)
        sweepAt = now + SWEEP_EVERY_MS
      }
      const open = buckets.map((bucket) => current(bucket, now))
      const allowed = buckets.every((bucket, i) => open[i]!.taken < bucket.quota)
      const states = buckets.map((bucket, i) => {
        const window = open[i]!
        if (allowed) {
          window.taken++
          windows.set(bucket.key, window)
        }
        return {
          remaining: Math.max(0, bucket.quota - window.taken),
          resetSeconds: Math.ceil((window.closesAt - now) / 1000),
        }
      })
      return { allowed, states }
    },
    async check() {},
    async close() {},
  }
}
