import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bucket, Clock, Limiter } from '../../server/platform/limits/port.ts'

/** What every limiter promises. `make` answers one with no memory of earlier tests. */
export function limiterContract(name: string, make: (clock: Clock) => Promise<Limiter>): void {
  describe(`limiter: ${name}`, () => {
    const minute: Bucket = { key: 'minute', quota: 3, seconds: 60 }
    const hour: Bucket = { key: 'hour', quota: 5, seconds: 3600 }

    async function withClock() {
      const time = { now: 1_800_000_000_000 }
      return { time, limiter: await make(() => time.now) }
    }

    test('counts down, refuses, and opens again when the window closes', async () => {
      const { time, limiter } = await withClock()
      const take = async () => {
        const { allowed, states } = await limiter.take([minute])
        return [allowed, states[0]!.remaining, states[0]!.resetSeconds]
      }
      expect(await take()).toEqual([true, 2, 60])
      time.now += 20_500
      expect(await take()).toEqual([true, 1, 40])
      expect(await take()).toEqual([true, 0, 40])
      expect(await take()).toEqual([false, 0, 40])
      time.now += 39_499
      expect(await take()).toEqual([false, 0, 1])
      time.now += 1
      expect(await take()).toEqual([true, 2, 60])
      await limiter.close()
    })

    test('takes from all buckets or from none', async () => {
      const { time, limiter } = await withClock()
      for (let i = 0; i < 3; i++) await limiter.take([minute, hour])
      const refused = await limiter.take([minute, hour])
      expect(refused).toEqual({
        allowed: false,
        states: [
          { remaining: 0, resetSeconds: 60 },
          { remaining: 2, resetSeconds: 3600 },
        ],
      })
      time.now += 60_000
      expect((await limiter.take([minute, hour])).states[1]!.remaining).toBe(1)
      await limiter.close()
    })

    test('of many at once, no more than the quota are allowed', async () => {
      const { limiter } = await withClock()
      const answers = await Promise.all(
        Array.from({ length: 50 }, async () => limiter.take([{ ...minute, quota: 7 }])),
      )
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(7)
      await limiter.close()
    })

    test('agrees with a plain list of takes', async () => {
      const steps = fc.array(
        fc.record({
          wait: fc.integer({ min: 0, max: 5000 }),
          buckets: fc.subarray([0, 1, 2], { minLength: 1 }),
        }),
        { maxLength: 60 },
      )
      await fc.assert(
        fc.asyncProperty(steps, fc.nat(), async (sequence, run) => {
          const { time, limiter } = await withClock()
          const buckets = [
            { key: `a${run}`, quota: 2, seconds: 3 },
            { key: `b${run}`, quota: 5, seconds: 11 },
            { key: `c${run}`, quota: 1, seconds: 2 },
          ]
          const oracle = buckets.map(() => ({ opened: Number.NEGATIVE_INFINITY, taken: 0 }))
          for (const step of sequence) {
            time.now += step.wait
            const asked = step.buckets.map((i) => ({ bucket: buckets[i]!, state: oracle[i]! }))
            const windows = asked.map(({ bucket, state }) =>
              time.now >= state.opened + bucket.seconds * 1000
                ? { opened: time.now, taken: 0 }
                : { ...state },
            )
            const expected = asked.every(({ bucket }, i) => windows[i]!.taken < bucket.quota)
            if (expected)
              asked.forEach(({ state }, i) => {
                windows[i]!.taken++
                Object.assign(state, windows[i])
              })
            const { allowed, states } = await limiter.take(asked.map(({ bucket }) => bucket))
            expect(allowed).toBe(expected)
            expect(states.map(({ remaining }) => remaining)).toEqual(
              asked.map(({ bucket }, i) => bucket.quota - windows[i]!.taken),
            )
          }
          await limiter.close()
        }),
        { numRuns: 60 },
      )
    })
  })
}
