import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ObjectSizeMismatch, ObjectTooLarge } from '../../../server/platform/objects/errors.ts'
import type { PutOptions } from '../../../server/platform/objects/port.ts'
import { keysUnder, MiB, ownPrefix, readText, type Store } from './helpers.ts'

function* bytes(count: number) {
  for (let left = count; left > 0; left -= MiB) yield Buffer.alloc(Math.min(left, MiB), 'x')
}

const body = (count: number) => Readable.from(bytes(count), { objectMode: false })

/** Sends some bytes, then ends as a connection does that is cut. */
function cutAfter(count: number, error?: Error): Readable {
  return Readable.from(
    (async function* () {
      yield* bytes(count)
      throw error
    })(),
  )
}

function closedAfter(count: number): Readable {
  const stream = new PassThrough()
  stream.write(Buffer.alloc(count))
  stream.once('data', () => stream.destroy())
  stream.pause()
  return stream
}

const alreadyBroken = () => body(1).destroy(new Error('broken before'))

const cases: [string, () => Readable | Buffer, PutOptions, unknown][] = [
  ['a stream that fails at once', () => cutAfter(0, new Error('cut')), {}, 'cut'],
  ['a stream that fails early', () => cutAfter(10, new Error('cut')), {}, 'cut'],
  ['a stream that fails late', () => cutAfter(20 * MiB, new Error('cut')), {}, 'cut'],
  ['a stream that failed before', alreadyBroken, {}, 'broken before'],
  ['a stream that is closed', () => closedAfter(1000), {}, 'Premature close'],
  ['a stream that ends early', () => body(99), { size: 100 }, ObjectSizeMismatch],
  ['a long stream that ends early', () => body(17 * MiB), { size: 17 * MiB + 1 }, ObjectSizeMismatch],
  ['a stream that goes on', () => body(101), { size: 100 }, ObjectSizeMismatch],
  ['a long stream that goes on', () => body(17 * MiB + 1), { size: 17 * MiB }, ObjectSizeMismatch],
  ['a stream that is too large', () => body(101), { maxBytes: 100 }, ObjectTooLarge],
  ['a long stream that is too large', () => body(40 * MiB), { maxBytes: 20 * MiB }, ObjectTooLarge],
  ['a buffer that is too large', () => Buffer.alloc(101), { maxBytes: 100 }, ObjectTooLarge],
  ['a buffer of another size', () => Buffer.alloc(101), { size: 100 }, ObjectSizeMismatch],
  ['a size that is too large', () => body(101), { size: 101, maxBytes: 100 }, ObjectTooLarge],
]

export function refusedBodies(store: Store): void {
  test.each(cases)('%s leaves nothing', async (_, source, options, error) => {
    const prefix = ownPrefix()
    await expect(store().put(`${prefix}new`, source(), options)).rejects.toThrow(error as string)
    expect(await keysUnder(store(), prefix)).toEqual([])
    expect(await store().head(`${prefix}new`)).toBeUndefined()
    expect(await store().sweepTemporary(0)).toBe(0)
  })

  test('an object that could not be replaced stays as it was', async () => {
    const key = `${ownPrefix()}a`
    const { etag } = await store().put(key, Buffer.from('whole'))
    const cut = new Error('cut')
    await expect(store().put(key, cutAfter(20 * MiB, cut))).rejects.toThrow(cut)
    expect(await readText(store(), key)).toBe('whole')
    expect((await store().head(key))!.etag).toBe(etag)
  })

  test('the source stays open, for an answer to travel on', async () => {
    const source = body(200)
    await expect(store().put(`${ownPrefix()}a`, source, { maxBytes: 100 })).rejects.toThrow(ObjectTooLarge)
    expect(source.destroyed).toBe(false)
    source.destroy(new Error('and may fail later without being heard'))
  })
}
