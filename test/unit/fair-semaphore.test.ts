import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairSemaphore } from '../../server/base/fair-semaphore.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

test('however many one tenant sends, another waits for one of them at the most', async () => {
  const turns = fairSemaphore(2, 2)
  const order: string[] = []
  const ends: (() => void)[] = []
  const work = (tenant: string) =>
    turns(tenant, async () => {
      order.push(tenant)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = [...Array.from({ length: 10 }, () => work('greedy')), work('other'), work('third')]
  await soon()
  expect(order).toEqual(['greedy', 'greedy'])
  ends.shift()!()
  await soon()
  expect(order).toEqual(['greedy', 'greedy', 'other'])
  ends.shift()!()
  await soon()
  expect(order.at(-1)).toBe('third')
  while (order.length < 12 || ends.length > 0) {
    ends.shift()?.()
    await soon()
  }
  await Promise.all(all)
})

test('all work is done, never more of it at once than there are places, in all and for one tenant', async () => {
  const jobs = fc.array(
    fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), turns: fc.nat({ max: 3 }), fails: fc.boolean() }),
    { maxLength: 30 },
  )
  const places = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  await fc.assert(
    fc.asyncProperty(jobs, places, async (made, [all, ofOne]) => {
      const semaphore = fairSemaphore(all, ofOne)
      const running: Record<string, number> = { a: 0, b: 0, c: 0 }
      const outcomes = await Promise.allSettled(
        made.map(({ tenant, turns, fails }) =>
          semaphore(tenant, async () => {
            running[tenant]!++
            expect(running[tenant]).toBeLessThanOrEqual(ofOne)
            expect(running.a! + running.b! + running.c!).toBeLessThanOrEqual(all)
            for (let i = 0; i < turns; i++) await soon()
            running[tenant]!--
            if (fails) throw new Error('meant')
          }),
        ),
      )
      for (const [i, outcome] of outcomes.entries())
        expect(outcome.status === 'rejected' && outcome.reason.message).toBe(made[i]!.fails ? 'meant' : false)
    }),
    { numRuns: 50 },
  )
})
