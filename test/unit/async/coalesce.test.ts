import { expect, test } from 'vitest'
import { coalesce } from '../../../server/base/async/coalesce.ts'

test('a look-up is shared by those who asked before it began, and by nobody after', async () => {
  const share = coalesce()
  let looks = 0
  const look = async () => ++looks
  const together = [share('a', look), share('a', look), share('b', look)]
  expect(await Promise.all(together)).toEqual([1, 1, 2])
  expect(await share('a', look)).toBe(3)
})

test('while one is under way, those who come share the next, also where it fails', async () => {
  const share = coalesce()
  const under = Promise.withResolvers<string>()
  let looks = 0
  const first = share('a', () => {
    looks++
    return under.promise
  })
  await new Promise(setImmediate)
  const later = Array.from({ length: 3 }, () => share('a', async () => `look ${++looks}`))
  await new Promise(setImmediate)
  expect(looks).toBe(1)
  under.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  expect(await Promise.all(later)).toEqual(['look 2', 'look 2', 'look 2'])
})
