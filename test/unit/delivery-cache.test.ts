import { expect, test } from 'vitest'
import { shareLookUps } from '../../server/base/share-look-ups.ts'
import { hotObjects } from '../../server/playback/hot-objects.ts'

/** Loads bodies of this size and counts how often each was loaded. */
function counting(size: number) {
  const loads = new Map<string, number>()
  const load = (name: string) => async () => {
    loads.set(name, (loads.get(name) ?? 0) + 1)
    return Buffer.alloc(size, name)
  }
  return { loads, load }
}

test('a body is loaded once, however many ask', async () => {
  const hot = hotObjects(1000, 100)
  const { loads, load } = counting(10)
  const bodies = await Promise.all(Array.from({ length: 20 }, () => hot.get('a', 10, load('a'))))
  expect(bodies.every((body) => body!.equals(Buffer.alloc(10, 'a')))).toBe(true)
  expect(loads.get('a')).toBe(1)
})

test('no more is kept than allowed; what was not asked for the longest goes first', async () => {
  const hot = hotObjects(30, 10)
  const { loads, load } = counting(10)
  for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) await hot.get(name, 10, load(name))
  expect(Object.fromEntries(loads)).toEqual({ a: 1, b: 2, c: 1, d: 1 })
})

test('what is too large is not kept, and a failed load is forgotten', async () => {
  const hot = hotObjects(100, 10)
  expect(hot.get('large', 11, counting(11).load('large'))).toBeUndefined()
  await expect(hot.get('a', 10, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  const { loads, load } = counting(10)
  await hot.get('a', 10, load('a'))
  expect(loads.get('a')).toBe(1)
})

test('a look-up is shared by those who asked before it began, and by nobody after', async () => {
  const share = shareLookUps()
  let looks = 0
  const look = async () => ++looks
  const together = [share('a', look), share('a', look), share('b', look)]
  expect(await Promise.all(together)).toEqual([1, 1, 2])
  expect(await share('a', look)).toBe(3)
})

test('while one is under way, those who come share the next, also where it fails', async () => {
  const share = shareLookUps()
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
