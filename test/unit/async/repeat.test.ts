import { expect, test } from 'vitest'
import { repeat } from '../../../server/base/async/repeat.ts'

test('runs again after it has ended or failed, never twice at once, and not after it was stopped', async () => {
  const errors: unknown[] = []
  const enough = Promise.withResolvers<void>()
  let [runs, running] = [0, 0]
  const repeated = repeat(
    0.001,
    async () => {
      expect(++running).toBe(1)
      await new Promise(setImmediate)
      running--
      if (++runs === 5) enough.resolve()
      if (runs === 2) throw new Error('away')
    },
    (error) => errors.push(error),
  )
  await enough.promise
  await repeated.stop()
  const stoppedAfter = runs
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(runs).toBe(stoppedAfter)
  expect(errors).toEqual([new Error('away')])
})
