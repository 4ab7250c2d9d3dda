import type { Bucket, Clock, Limiter, Taken } from './port.ts'

interface Window {
  closesAt: number
  taken: number
}

const SWEEP_EVERY_MS = 60_000

/** Windows in this process's memory: exact for one process, forgotten with it. */
export function memoryLimiter(clock: Clock): Limiter {
  const windows = new Map<string, Window>()
  let sweepAt = clock() + SWEEP_EVERY_MS

  function current(bucket: Bucket, now: number): Window {
    const known = windows.get(bucket.key)
    if (known && known.closesAt > now) return known
    const opened = { closesAt: now + bucket.seconds * 1000, taken: 0 }
    windows.set(bucket.key, opened)
    return opened
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
        if (allowed) window.taken++
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
