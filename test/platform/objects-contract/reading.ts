import { randomBytes } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { RangeNotSatisfiable } from '../../../server/platform/objects/errors.ts'
import { MiB, ownFolder, ownPrefix, read, readText, type Store } from './helpers.ts'

export function reading(store: Store): void {
  test('answers nothing for what is not there', async () => {
    const prefix = ownPrefix()
    const target = path.join(await ownFolder(), 'copy')
    await store().put(`${prefix}folder/a`, Buffer.from('a'))
    for (const name of ['absent', 'folder', 'absent/deeper']) {
      expect(await store().get(prefix + name)).toBeUndefined()
      expect(await store().get(prefix + name, { start: 0, end: 4 })).toBeUndefined()
      expect(await store().head(prefix + name)).toBeUndefined()
      expect(await store().download(prefix + name, target)).toBeUndefined()
    }
    await expect(access(target)).rejects.toThrow('ENOENT')
  })

  test('describes an object alike, whether opened, inspected or listed', async () => {
    const prefix = ownPrefix()
    const before = Date.now()
    await store().put(`${prefix}a`, Buffer.from('0123456789'))
    const info = (await store().head(`${prefix}a`))!
    expect(info.size).toBe(10)
    // S3 dates by the second.
    expect(info.lastModified.getTime()).toBeGreaterThanOrEqual(before - 1000)
    const { stream, ...opened } = (await store().get(`${prefix}a`, { start: 3, end: 5 }))!
    stream.destroy()
    expect(opened).toEqual(info)
    for await (const { lastModified, ...listed } of store().list(prefix)) {
      expect(listed).toEqual({ key: `${prefix}a`, size: 10 })
      expect(Math.floor(lastModified.getTime() / 1000)).toBe(Math.floor(info.lastModified.getTime() / 1000))
    }
  })

  test.each([
    ['0-0', { start: 0, end: 0 }, '0'],
    ['2-4', { start: 2, end: 4 }, '234'],
    ['7-', { start: 7 }, '789'],
    ['0-', { start: 0 }, '0123456789'],
    ['9-9', { start: 9, end: 9 }, '9'],
    ['8-1000', { start: 8, end: 1000 }, '89'],
  ])('reads the bytes %s', async (_, range, expected) => {
    const key = `${ownPrefix()}a`
    await store().put(key, Buffer.from('0123456789'))
    expect(await readText(store(), key, range)).toBe(expected)
  })

  test('refuses a range outside of the object, and says how long it is', async () => {
    const prefix = ownPrefix()
    await store().put(`${prefix}ten`, Buffer.from('0123456789'))
    await store().put(`${prefix}empty`, Buffer.alloc(0))
    for (const [name, start, size] of [
      ['ten', 10, 10],
      ['ten', 4000, 10],
      ['empty', 0, 0],
    ] as const) {
      const failure = await store()
        .get(prefix + name, { start, end: start + 5 })
        .catch((error) => error)
      expect(failure).toBeInstanceOf(RangeNotSatisfiable)
      expect(failure.size).toBe(size)
    }
  })

  test.each([
    { start: -1 },
    { start: 5, end: 4 },
    { start: 0.5 },
    { start: Number.NaN },
    { start: 0, end: Infinity },
  ])('takes no nonsense for a range: %o', async (range) => {
    await expect(store().get(`${ownPrefix()}a`, range)).rejects.toThrow(TypeError)
  })

  test('reads ranges across the parts that a large object was sent in', async () => {
    const key = `${ownPrefix()}a`
    const body = randomBytes(20 * MiB)
    await store().put(key, body)
    const range = { start: 8 * MiB - 10, end: 16 * MiB + 10 }
    const found = (await read(store(), key, range))!
    expect(body.subarray(range.start, range.end + 1).equals(found)).toBe(true)
  })

  test('writes a copy to a local file', async () => {
    const key = `${ownPrefix()}a`
    const target = path.join(await ownFolder(), 'copy')
    const body = randomBytes(9 * MiB)
    const { size, etag } = await store().put(key, body)
    expect(await store().download(key, target)).toMatchObject({ size, etag })
    expect(body.equals(await readFile(target))).toBe(true)
  })

  test('either has the object as a local file, or none', async () => {
    const key = `${ownPrefix()}a`
    await store().put(key, Buffer.from('abc'))
    const file = store().localPath(key)
    if (file) expect(await readFile(file, 'utf8')).toBe('abc')
  })
}
