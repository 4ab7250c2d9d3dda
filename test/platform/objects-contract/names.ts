import { expect, test } from 'vitest'
import { inBatches, keysUnder, ownPrefix, readText, type Store } from './helpers.ts'

const HOSTILE_KEYS = [
  '',
  '/',
  '/etc/passwd',
  '.',
  '..',
  '../a',
  'a/../b',
  'a/..',
  'a/./b',
  'a//b',
  'a/',
  'a b',
  'a\\b',
  'a\0b',
  'a\nb',
  'a%2fb',
  'ä',
  'a?b',
  'a#b',
  'a:b',
  `${'a'.repeat(150)}/${'b'.repeat(150)}`,
  'a'.repeat(256),
]

export function names(store: Store): void {
  test.each(HOSTILE_KEYS.map((key) => ({ key, shown: JSON.stringify(key.slice(0, 20)) })))(
    'refuses the key $shown',
    async ({ key }) => {
      const good = `${ownPrefix()}a`
      const expiresAt = new Date(Date.now() + 60_000)
      for (const attempt of [
        async () => store().put(key, Buffer.from('x')),
        async () => store().putFile(key, '/nowhere'),
        async () => store().get(key),
        async () => store().head(key),
        async () => store().localPath(key),
        async () => store().download(key, '/nowhere/at/all'),
        async () => store().move(key, good),
        async () => store().move(good, key),
        async () => store().delete(key),
        async () => store().deletePrefix(`${key}/`),
        async () => store().presignPut(key, { expiresAt }),
        async () => store().presignGet(key, { expiresAt }),
      ])
        await expect(attempt()).rejects.toThrow(TypeError)
    },
  )

  test.each(['a', '', '/', '../', 'a//', 'a/../'])('deletes nothing under the prefix %j', async (prefix) => {
    await expect(store().deletePrefix(prefix)).rejects.toThrow(TypeError)
    if (prefix) await expect(async () => keysUnder(store(), prefix)).rejects.toThrow(TypeError)
  })

  test('takes every kind of key that the service makes', async () => {
    const prefix = ownPrefix()
    for (const key of ['...', '-rf', '.hidden', 'A.b_c-9', `deep/${'a/'.repeat(50)}b`, 'c'.repeat(255)]) {
      await store().put(prefix + key, Buffer.from(key))
      expect(await readText(store(), prefix + key)).toBe(key)
    }
  })

  test('lists in the byte order of the keys, and only what is under the prefix', async () => {
    const prefix = ownPrefix()
    const sorted = ['a/B', 'a/b-1', 'a/b.2', 'a/b/x', 'a/b/y/z', 'a/b0', 'a/c']
    for (const key of [...sorted].reverse()) await store().put(prefix + key, Buffer.from(key))
    await store().put(`${prefix}ab/x`, Buffer.from('x'))
    expect(await keysUnder(store(), `${prefix}a/`)).toEqual(sorted.map((key) => prefix + key))
    expect(await keysUnder(store(), `${prefix}a/b/`)).toEqual([`${prefix}a/b/x`, `${prefix}a/b/y/z`])
    expect(await keysUnder(store(), `${prefix}nothing/`)).toEqual([])
    const all = await keysUnder(store())
    expect(all.filter((key) => key.startsWith(prefix))).toHaveLength(sorted.length + 1)
  })

  test('deletes what is under a prefix, and nothing beside it', async () => {
    const prefix = ownPrefix()
    for (const key of ['v/1/a', 'v/1/b/c', 'v/10/a', 'v/1.txt', 'w'])
      await store().put(prefix + key, Buffer.from(key))
    await store().deletePrefix(`${prefix}v/1/`)
    await store().deletePrefix(`${prefix}w/`)
    await store().deletePrefix(`${prefix}w/deeper/`)
    await store().deletePrefix(`${prefix}nothing/`)
    const left = ['v/1.txt', 'v/10/a', 'w'].map((key) => prefix + key)
    expect(await keysUnder(store(), prefix)).toEqual(left)
  })

  test('lists and deletes more than fit on a page', async () => {
    const prefix = ownPrefix()
    const name = (n: number) => `${prefix}many/${String(n).padStart(4, '0')}`
    await inBatches(1100, 20, (n) => store().put(name(n), Buffer.from('x')))
    expect(await keysUnder(store(), prefix)).toEqual(Array.from({ length: 1100 }, (_, n) => name(n)))
    await store().deletePrefix(prefix)
    expect(await keysUnder(store(), prefix)).toEqual([])
  })
}
