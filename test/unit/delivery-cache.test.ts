import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hotObjects } from '../../server/delivery/deliverable.ts'
import { sizeCache } from '../../server/delivery/size-cache.ts'

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

test('a size that is larger than all that is kept can be read, and goes with the next', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sizes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const cache = sizeCache(folder, 10)
  const made = (bytes: number) => (output: string) => writeFile(output, Buffer.alloc(bytes))
  expect(readFileSync(await cache.get('large', made(50)))).toHaveLength(50)
  expect(readFileSync(await cache.get('small', made(5)))).toHaveLength(5)
  expect(readdirSync(folder)).toEqual(['small'])
})
