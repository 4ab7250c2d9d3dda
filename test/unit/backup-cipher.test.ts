import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type Cipher, cipherOf, readKey } from '../../server/backup/cipher.ts'

const MEGABYTE = 2 ** 20
const SEALED = MEGABYTE + 16
const HEAD = 20
const key = randomBytes(32)
const cipher = cipherOf(key)

async function* inPieces(content: Buffer, length = 100_000): AsyncGenerator<Buffer> {
  for (let from = 0; from < content.length; from += length) yield content.subarray(from, from + length)
}
const seal = (content: Buffer, name = 'one') => buffer(cipher.seal(name, inPieces(content)))
const open = (sealed: Buffer, name = 'one', by: Cipher = cipher) => buffer(by.open(name, inPieces(sealed)))

test.each([0, 1, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1, 3 * MEGABYTE])(
  'what is %i bytes long comes back as it was, and twice the same is written differently',
  async (length) => {
    const content = randomBytes(length)
    const [once, twice] = [await seal(content), await seal(content)]
    expect(once.equals(twice)).toBe(false)
    expect(once.includes(content.subarray(0, 64)) && length >= 64).toBe(false)
    expect((await open(once)).equals(content)).toBe(true)
    expect((await open(twice)).equals(content)).toBe(true)
  },
)

test('a bit that is another, a part that is missing, moved, repeated or of something else: all are refused', async () => {
  const content = randomBytes(3 * MEGABYTE)
  const sealed = await seal(content)
  const part = (i: number, of = sealed) => of.subarray(HEAD + i * SEALED, HEAD + (i + 1) * SEALED)
  const head = sealed.subarray(0, HEAD)
  const other = await seal(content)
  const wrong: Record<string, Buffer> = {
    'cut off within a part': sealed.subarray(0, -1),
    'without its last part': Buffer.concat([head, part(0), part(1)]),
    'in another order': Buffer.concat([head, part(1), part(0), part(2)]),
    'with a part twice': Buffer.concat([head, part(0), part(0), part(1), part(2)]),
    'with a part of another': Buffer.concat([head, part(0), part(1, other), part(2)]),
    'with another beginning': Buffer.concat([other.subarray(0, HEAD), part(0), part(1), part(2)]),
    'with more behind it': Buffer.concat([sealed, randomBytes(50)]),
    'without anything': head,
    'not ours': randomBytes(5000),
    empty: Buffer.alloc(0),
  }
  for (const at of [0, 5, HEAD, HEAD + SEALED + 7, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    wrong[`with another byte ${at}`] = changed
  }
  for (const [how, bytes] of Object.entries(wrong)) await expect(open(bytes), how).rejects.toThrow(/damaged/)
  await expect(open(sealed, 'two')).rejects.toThrow(/damaged/)
  await expect(open(sealed, 'one', cipherOf(randomBytes(32)))).rejects.toThrow(/damaged/)
})

test('names tell nothing of what is in there, and are the same for the same', () => {
  const hash = 'a'.repeat(64)
  expect(cipher.nameOf(hash)).toMatch(/^[0-9a-f]{64}$/)
  expect(cipher.nameOf(hash)).toBe(cipherOf(key).nameOf(hash))
  expect(cipher.nameOf(hash)).not.toBe(cipherOf(randomBytes(32)).nameOf(hash))
})

test('a key is read in each of its forms, and nothing else is taken for one', () => {
  for (const form of [key, key.toString('hex'), `${key.toString('hex')}\n`, `${key.toString('base64')}\n`])
    expect(readKey(Buffer.from(form))).toEqual(key)
  for (const form of ['', 'secret', key.toString('hex').slice(2)])
    expect(() => readKey(Buffer.from(form)), form).toThrow(/openssl rand -hex 32/)
})
