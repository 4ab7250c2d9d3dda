import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairSemaphore } from '../../../server/base/async/fair-semaphore.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

test('however many one tenant sends, another waits for none of them', async () => {
  const semaphore = fairSemaphore(2)
  const order: string[] = []
  const ends: (() => void)[] = []
  const work = (tenant: string) =>
    semaphore(tenant, async () => {
      order.push(tenant)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = [...Array.from({ length: 10 }, () => work('greedy')), work('other')]
  await soon()
  expect(order).toEqual(['greedy', 'greedy', 'other'])
  while (order.length < 11 || ends.length > 0) {
    ends.shift()?.()
    await soon()
  }
  await Promise.all(all)
})

test('all work is done, never more of it at once than there are slots and one', async () => {
  const jobs = fc.array(
    fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), turns: fc.nat({ max: 3 }), fails: fc.boolean() }),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(jobs, fc.integer({ min: 1, max: 4 }), async (made, slots) => {
      const semaphore = fairSemaphore(slots)
      const running: Record<string, number> = { a: 0, b: 0, c: 0 }
      const outcomes = await Promise.allSettled(
        made.map(({ tenant, turns, fails }) =>
          semaphore(tenant, async () => {
            running[tenant]!++
            expect(running.a! + running.b! + running.c!).toBeLessThanOrEqual(slots + 1)
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
