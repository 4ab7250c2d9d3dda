import { expect, test } from 'vitest'
import { lazy } from '../../../server/base/async/lazy.ts'

test('nothing runs before the first call, and once for all calls', async () => {
  let runs = 0
  const get = lazy(async () => ++runs)
  expect(runs).toBe(0)
  expect(await Promise.all([get(), get()])).toEqual([1, 1])
  expect(await get()).toBe(1)
})
