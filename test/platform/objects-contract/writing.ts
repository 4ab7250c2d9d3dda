import { randomBytes } from 'node:crypto'
import { access, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ObjectExists, ObjectNotFound, ObjectTooLarge } from '../../../server/platform/objects/errors.ts'
import {
  heldInBuffers,
  keysUnder,
  MiB,
  ownFolder,
  ownPrefix,
  read,
  readText,
  type Store,
  sha256,
  sha256OfStream,
} from './helpers.ts'

export function writing(store: Store): void {
  test.each([
    ['an empty body', 0],
    ['one byte', 1],
    ['one byte less than a part of an upload', 8 * MiB - 1],
    ['exactly one part', 8 * MiB],
    ['two parts and a bit', 16 * MiB + 5],
  ])('keeps %s, from memory and from a stream', async (_, size) => {
    const body = randomBytes(size)
    const prefix = ownPrefix()
    const stream = () => Readable.from(size ? [body.subarray(0, 7), body.subarray(7)] : [])
    const stored = [
      await store().put(`${prefix}memory`, body, { sha256: true }),
      await store().put(`${prefix}stream`, stream(), { sha256: true }),
      await store().put(`${prefix}announced`, stream(), { size, maxBytes: size, sha256: true }),
    ]
    for (const [i, name] of ['memory', 'stream', 'announced'].entries()) {
      const { etag } = (await store().head(prefix + name))!
      expect(stored[i]).toEqual({ size, sha256: sha256(body), etag })
      expect(body.equals((await read(store(), prefix + name))!)).toBe(true)
    }
  })

  test.each([
    ['a few bytes', 10],
    ['more than a part of an upload', 8 * MiB + 5],
  ])('leaves an object that is there as it is, where that is asked for: %s', async (_, size) => {
    const prefix = ownPrefix()
    const bodies = Array.from({ length: 5 }, () => randomBytes(size))
    const putting = bodies.map((body) => store().put(`${prefix}once`, body, { ifAbsent: true }))
    const put = await Promise.allSettled(putting)
    const kept = put.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []))
    expect(kept).toHaveLength(1)
    for (const one of put) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(ObjectExists)
    const later = store().put(`${prefix}once`, Readable.from([randomBytes(size)]), { ifAbsent: true, size })
    await expect(later).rejects.toBeInstanceOf(ObjectExists)
    expect((await read(store(), `${prefix}once`))!.equals(bodies[kept[0]!]!)).toBe(true)
    expect(await keysUnder(store(), prefix)).toEqual([`${prefix}once`])

    await store().delete(`${prefix}once`)
    await store().put(`${prefix}once`, bodies[1]!, { ifAbsent: true })
    await store().put(`${prefix}once`, bodies[2]!)
    expect((await read(store(), `${prefix}once`))!.equals(bodies[2]!)).toBe(true)
  })

  test('keeps bodies that come in many small pieces, and hashes none unasked', async () => {
    const body = randomBytes(3 * MiB)
    function* pieces() {
      // Of every length from one byte on, and in the end of none.
      for (let at = 0, length = 1; at < body.length; at += length++) yield body.subarray(at, at + length)
      yield Buffer.alloc(0)
    }
    const key = `${ownPrefix()}pieces`
    const stored = await store().put(key, Readable.from(pieces()))
    expect(stored).toEqual({ size: body.length, etag: (await store().head(key))!.etag })
    expect(body.equals((await read(store(), key))!)).toBe(true)
  })

  test('frees the buffers of a stream only where it may, and only those that are whole', async () => {
    const prefix = ownPrefix()
    const chunks = () => [3 * MiB, 5, 9 * MiB].map((length) => Buffer.from(new ArrayBuffer(length)).fill('x'))
    const [kept, freed] = [chunks(), chunks()]
    const shared = Buffer.from('ours theirs ')
    await store().put(`${prefix}kept`, Readable.from(kept))
    await store().put(`${prefix}freed`, Readable.from([...freed, shared.subarray(0, 5)]), {
      freeBuffers: true,
    })
    expect(Buffer.concat(kept).equals((await read(store(), `${prefix}kept`))!)).toBe(true)
    expect(freed.map(({ length }) => length)).toEqual([0, 0, 0])
    const whole = (await read(store(), `${prefix}freed`))!
    expect(whole.equals(Buffer.concat([...kept, Buffer.from('ours ')]))).toBe(true)
    expect(shared.toString()).toBe('ours theirs ')
  })

  test('replaces an object, and tells its versions apart', async () => {
    const key = `${ownPrefix()}a`
    const first = await store().put(key, Buffer.from('first'))
    const second = await store().put(key, Buffer.from('other'))
    expect(second.etag).not.toBe(first.etag)
    expect(first.etag).toMatch(/^"[^"]+"$/)
    expect(await readText(store(), key)).toBe('other')
  })

  test('streams 100 MB without holding it', async () => {
    const key = `${ownPrefix()}large`
    // Made beforehand, so that all growth is the store's.
    const chunks = Array.from({ length: 8 }, () => randomBytes(MiB))
    const before = heldInBuffers()
    let most = 0
    function* body() {
      for (let i = 0; i < 100; i++) {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
        yield chunks[i % 8]
      }
    }
    const { size, sha256 } = await store().put(key, Readable.from(body()), { sha256: true })
    expect(size).toBe(100 * MiB)
    expect(most / MiB).toBeLessThan(40)
    expect(await sha256OfStream((await store().get(key))!.stream)).toBe(sha256)
  })

  test('takes over a local file', async () => {
    const file = path.join(await ownFolder(), 'segment.m4s')
    const body = randomBytes(9 * MiB)
    await writeFile(file, body)
    const key = `${ownPrefix()}segment.m4s`
    const stored = await store().putFile(key, file, { contentType: 'video/mp4', sha256: true })
    expect(stored).toMatchObject({ size: body.length, sha256: sha256(body) })
    expect(stored.etag).toBe((await store().head(key))!.etag)
    expect(body.equals((await read(store(), key))!)).toBe(true)
    await expect(access(file)).rejects.toThrow('ENOENT')
  })

  test('leaves a local file that it refuses', async () => {
    const folder = await ownFolder()
    const [file, link] = [path.join(folder, 'a'), path.join(folder, 'link')]
    await writeFile(file, 'abc')
    await symlink(file, link)
    const prefix = ownPrefix()
    await expect(store().putFile(`${prefix}a`, file, { maxBytes: 2 })).rejects.toThrow(ObjectTooLarge)
    await expect(store().putFile(`${prefix}a`, link)).rejects.toThrow('ELOOP')
    await expect(store().putFile(`${prefix}a`, folder)).rejects.toThrow(TypeError)
    expect(await readFile(file, 'utf8')).toBe('abc')
    expect(await keysUnder(store(), prefix)).toEqual([])
  })

  test('moves an object, over another one if need be', async () => {
    const prefix = ownPrefix()
    const body = randomBytes(9 * MiB)
    await store().put(`${prefix}from`, body)
    await store().put(`${prefix}to/here`, Buffer.from('old'))
    await store().move(`${prefix}from`, `${prefix}to/here`)
    expect(body.equals((await read(store(), `${prefix}to/here`))!)).toBe(true)
    expect(await keysUnder(store(), prefix)).toEqual([`${prefix}to/here`])
  })

  test('moves an object onto itself without losing it', async () => {
    const key = `${ownPrefix()}a`
    await store().put(key, Buffer.from('kept'))
    await store().move(key, key)
    expect(await readText(store(), key)).toBe('kept')
  })

  test('moves nothing where there is nothing', async () => {
    const prefix = ownPrefix()
    await store().put(`${prefix}folder/a`, Buffer.from('a'))
    for (const from of ['absent', 'folder', 'absent/deeper']) {
      await expect(store().move(prefix + from, `${prefix}to`)).rejects.toThrow(ObjectNotFound)
      await expect(store().move(prefix + from, prefix + from)).rejects.toThrow(ObjectNotFound)
    }
    expect(await keysUnder(store(), prefix)).toEqual([`${prefix}folder/a`])
  })

  test('deletes an object, again and again', async () => {
    const prefix = ownPrefix()
    await store().put(`${prefix}folder/a`, Buffer.from('a'))
    await store().delete(`${prefix}folder`)
    expect(await readText(store(), `${prefix}folder/a`)).toBe('a')
    for (let i = 0; i < 2; i++) await store().delete(`${prefix}folder/a`)
    await store().delete(`${prefix}never/there`)
    expect(await store().head(`${prefix}folder/a`)).toBeUndefined()
    expect(await keysUnder(store(), prefix)).toEqual([])
  })

  test('can be written to', async () => {
    await store().check()
    expect(await store().sweepTemporary(0)).toBe(0)
  })
}
