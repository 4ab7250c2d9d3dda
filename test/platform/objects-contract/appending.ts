import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { AppendTakenOver, ChecksumMismatch, ObjectTooLarge } from '../../../server/platform/objects/errors.ts'
import type { AppendOptions, ObjectStore, PartialBody } from '../../../server/platform/objects/port.ts'
import { keysUnder, MiB, ownPrefix, read, type Store, sha256 } from './helpers.ts'

const NOTHING: PartialBody = { size: 0, pieces: [] }

/** What was last told to be kept: all that a process knows after a crash. */
function notes(to: PartialBody) {
  const noted = { body: to }
  const onKept = async (body: PartialBody) => {
    noted.body = body
  }
  return { noted, options: { to, onKept } }
}

async function append(
  store: ObjectStore,
  prefix: string,
  source: Readable,
  more: Partial<AppendOptions> & { to: PartialBody },
) {
  const { noted, options } = notes(more.to)
  const appended = await store.append(prefix, source, { ...options, ...more })
  expect(noted.body).toEqual(appended.body)
  return appended
}

const inChunks = (body: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < body.length; at += 65_536) yield Buffer.from(body.subarray(at, at + 65_536))
    })(),
  )

export function appending(store: Store): void {
  test.each([
    ['nothing at all', []],
    ['one byte', [1]],
    ['three short ones', [3 * MiB, 1, 2 * MiB + 7]],
    ['parts, a tail, and more', [17 * MiB + 3, 6 * MiB, 5, 4 * MiB]],
  ])('makes one object of bytes that came with interruptions: %s', async (_, sizes) => {
    const whole = randomBytes(sizes.reduce((sum, size) => sum + size, 0))
    const prefix = ownPrefix()
    let body = NOTHING
    for (const size of sizes) {
      const next = whole.subarray(body.size, body.size + size)
      body = (await append(store(), prefix, inChunks(next), { to: body })).body
      expect((await keysUnder(store(), prefix)).sort()).toEqual(body.pieces.map(({ key }) => key).sort())
    }
    expect(body.size).toBe(whole.length)
    const key = `${ownPrefix()}whole`
    await store().compose(body, key)
    expect(sha256((await read(store(), key))!)).toBe(sha256(whole))
    // After a crash it may be done again, for as long as its pieces are there.
    if ((await keysUnder(store(), prefix)).length > 0) await store().compose(body, key)
    expect((await store().head(key))!.size).toBe(whole.length)
    await store().deletePrefix(prefix)
  })

  test('keeps what arrived before a source broke off, and nothing beyond what is allowed', async () => {
    const whole = randomBytes(9 * MiB)
    const prefix = ownPrefix()
    const broken = new Error('gone')
    const source = Readable.from(
      (async function* () {
        yield whole.subarray(0, 5 * MiB + 11)
        throw broken
      })(),
    )
    const first = await append(store(), prefix, source, { to: NOTHING })
    expect(first).toMatchObject({ brokenOff: broken, body: { size: 5 * MiB + 11 } })
    const rest = inChunks(whole.subarray(first.body.size))
    const second = await append(store(), prefix, rest, { to: first.body, maxBytes: 100_000 })
    expect(second.brokenOff).toBeInstanceOf(ObjectTooLarge)
    expect(second.body.size - first.body.size).toBe(65_536)
    const last = inChunks(whole.subarray(second.body.size))
    const { body } = await append(store(), prefix, last, { to: second.body })
    await store().compose(body, `${prefix}whole`)
    expect(sha256((await read(store(), `${prefix}whole`))!)).toBe(sha256(whole))
  })

  test('forgets what was never told to be kept', async () => {
    const prefix = ownPrefix()
    const { body } = await append(store(), prefix, Readable.from([Buffer.from('first, ')]), { to: NOTHING })
    const refuse = async () => {
      throw new Error('the database is away')
    }
    const lost = store().append(prefix, Readable.from([Buffer.from('lost')]), { to: body, onKept: refuse })
    await expect(lost).rejects.toThrow('the database is away')
    const again = await append(store(), prefix, Readable.from([Buffer.from('second')]), { to: body })
    await store().compose(again.body, `${prefix}whole`)
    expect((await read(store(), `${prefix}whole`))!.toString()).toBe('first, second')
  })

  test('takes a body with a checksum as a whole or not at all', async () => {
    const prefix = ownPrefix()
    const { body } = await append(store(), prefix, Readable.from([Buffer.from('first, ')]), { to: NOTHING })
    const digest = createHash('sha1').update('second').digest()
    const checksum = { algorithm: 'sha1', digest }
    for (const wrong of ['sekond', 'secon', 'seconds']) {
      const sent = append(store(), prefix, Readable.from([Buffer.from(wrong)]), { to: body, checksum })
      await expect(sent).rejects.toThrow(ChecksumMismatch)
    }
    const source = Readable.from([Buffer.from('second')])
    const right = await append(store(), prefix, source, { to: body, checksum })
    await store().compose(right.body, `${prefix}whole`)
    expect((await read(store(), `${prefix}whole`))!.toString()).toBe('first, second')
  })

  test('keeps what a silent client has sent, and hands the place on to the next', async () => {
    const prefix = ownPrefix()
    const silent = new PassThrough()
    const { noted, options } = notes(NOTHING)
    const hanging = store().append(prefix, silent, options)
    silent.write('first, ')
    await expect.poll(() => noted.body.size).toBe(7)
    const to = noted.body
    const next = await append(store(), prefix, Readable.from([Buffer.from('second')]), { to })
    silent.destroy(new AppendTakenOver())
    expect((await hanging).brokenOff).toBeInstanceOf(AppendTakenOver)
    await store().compose(next.body, `${prefix}whole`)
    expect((await read(store(), `${prefix}whole`))!.toString()).toBe('first, second')
  })
}
