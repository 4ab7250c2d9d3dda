import fc from 'fast-check'
import { expect, test } from 'vitest'
import { semaphore } from '../../../server/base/async/semaphore.ts'

test('no more run at once than there are permits, they begin in order, and a failure gives its permit back', async () => {
  const jobs = fc.array(fc.record({ turns: fc.nat(3), fails: fc.boolean() }), { maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), jobs, async (permits, all) => {
      const withPermit = semaphore(permits)
      const begun: number[] = []
      let running = 0
      let most = 0
      await Promise.allSettled(
        all.map(({ turns, fails }, i) =>
          withPermit(async () => {
            begun.push(i)
            most = Math.max(most, ++running)
            for (let turn = 0; turn <= turns; turn++) await new Promise(setImmediate)
            running--
            if (fails) throw new Error(`job ${i}`)
          }),
        ),
      )
      expect(begun).toEqual(all.map((_, i) => i))
      expect(most).toBe(Math.min(permits, all.length))
    }),
  )
})
