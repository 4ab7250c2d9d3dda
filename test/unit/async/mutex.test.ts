import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mutex } from '../../../server/base/async/mutex.ts'

test('one at a time and in order, whatever fails', async () => {
  const jobs = fc.array(fc.record({ turns: fc.nat(3), fails: fc.boolean() }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(jobs, async (all) => {
      const exclusively = mutex()
      const order: number[] = []
      let running = 0
      const outcomes = await Promise.allSettled(
        all.map(({ turns, fails }, i) =>
          exclusively(async () => {
            expect(++running).toBe(1)
            for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
            running--
            order.push(i)
            if (fails) throw new Error(`job ${i}`)
            return i
          }),
        ),
      )
      expect(order).toEqual(all.map((_, i) => i))
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(all.map(({ fails }) => fails))
    }),
  )
})
