import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batch } from '../../../server/base/async/batch.ts'

const item = fc.record({
  weight: fc.integer({ min: 1, max: 5 }),
  /** Turns of the event loop after which it comes. */
  comes: fc.integer({ min: 0, max: 6 }),
  fails: fc.boolean(),
})

test('each is answered once and by its own result, within the limits; one that fails takes nobody along', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 30 }),
      fc.record({
        concurrency: fc.integer({ min: 1, max: 3 }),
        maxItems: fc.integer({ min: 1, max: 6 }),
        maxWeight: fc.integer({ min: 1, max: 12 }),
        before: fc.integer({ min: 0, max: 2 }),
      }),
      async (items, { concurrency, maxItems, maxWeight, before }) => {
        let running = 0
        let done: number[] = []
        const ask = batch<number, string>(
          async (take) => {
            expect(++running).toBeLessThanOrEqual(concurrency)
            await turns(before)
            const some = take()
            await turns(1)
            running--
            expect(some.length).toBeLessThanOrEqual(maxItems)
            const weight = some.reduce((sum, i) => sum + items[i]!.weight, 0)
            expect(some.length <= 1 || weight <= maxWeight).toBe(true)
            if (some.some((i) => items[i]!.fails)) throw new Error(`not ${some}`)
            done = done.concat(some)
            return some.map((i) => `did ${i}`)
          },
          { concurrency, maxItems, maxWeight, weigh: (i) => items[i]!.weight, failsForAll: () => false },
        )
        const answers = await Promise.allSettled(
          items.map(async ({ comes }, i) => {
            await turns(comes)
            return ask(i)
          }),
        )
        expect(answers).toEqual(
          items.map(({ fails }, i) =>
            fails
              ? { status: 'rejected', reason: new Error(`not ${i}`) }
              : { status: 'fulfilled', value: `did ${i}` },
          ),
        )
        expect(done.toSorted((a, b) => a - b)).toEqual(items.flatMap(({ fails }, i) => (fails ? [] : [i])))
      },
    ),
    { numRuns: 300 },
  )
})

test('what fails for all fails those who wait, also before they were taken, and nothing is tried again', async () => {
  let tries = 0
  const ask = batch<number, string>(
    async () => {
      tries++
      throw new Error('the database is gone')
    },
    { concurrency: 1, maxItems: 10, maxWeight: 10, weigh: () => 1, failsForAll: () => true },
  )
  const answers = await Promise.allSettled([ask(1), ask(2), ask(3)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(tries).toBe(1)
})

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}
