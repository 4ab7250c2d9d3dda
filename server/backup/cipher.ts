import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { StartupError } from '../base/errors.ts'
import { DamagedBackup } from './errors.ts'
import { piecesOf } from './pieces.ts'

type Bytes = AsyncIterable<Buffer>

/** How what a backup holds is written: as it is, or encrypted. */
export interface Cipher {
  /** By which a key is recognized as the right one; undefined where there is none. */
  check?: string
  /** The name of what has this hash: it tells nobody else what it is. */
  nameOf(sha256: string): string
  seal(name: string, content: Bytes): Bytes
  open(name: string, sealed: Bytes): Bytes
}

export const PLAIN: Cipher = {
  nameOf: (sha256) => sha256,
  seal: (_, content) => content,
  open: (_, sealed) => sealed,
}

const MAGIC = Buffer.from('MQB1')
const SALT = 16
const TAG = 16
const CHUNK = 2 ** 20
const KEY = 32

/** A key as it is in a file: 32 bytes in hexadecimal digits or base64, or as they are. */
export function readKey(content: Buffer): Buffer {
  const text = content.toString('latin1').trim()
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return Buffer.from(text, 'base64')
  if (content.length === KEY) return content
  throw new StartupError('the key file does not hold a key: make one with openssl rand -hex 32 > backup.key')
}

const derived = (key: Buffer, salt: Buffer | string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', key, salt, `marquee backup ${purpose}`, KEY))

/**
 * AES-256-GCM in chunks of a megabyte. Each thing has a key of its own, so that a chunk's number is nonce enough; that number, the
 * name, and whether it is the last are authenticated with it: chunks in another order, of something else, or fewer of them, are
 * refused.
 */
export function cipherOf(key: Buffer): Cipher {
  const names = derived(key, '', 'names')
  const keyOf = (salt: Buffer) => derived(key, salt, 'content')
  const nonceOf = (number: number) => {
    const nonce = Buffer.alloc(12)
    nonce.writeBigUInt64BE(BigInt(number), 4)
    return nonce
  }
  const aboutOf = (name: string, number: number, isLast: boolean) =>
    Buffer.from(`${name}\n${number}\n${isLast ? 'last' : 'more'}`)

  async function* seal(name: string, content: Bytes): AsyncGenerator<Buffer> {
    const salt = randomBytes(SALT)
    const own = keyOf(salt)
    yield Buffer.concat([MAGIC, salt])
    let number = 0
    for await (const { bytes, isLast } of piecesOf(content, () => CHUNK)) {
      const sealing = createCipheriv('aes-256-gcm', own, nonceOf(number))
      sealing.setAAD(aboutOf(name, number, isLast))
      yield Buffer.concat([sealing.update(bytes), sealing.final(), sealing.getAuthTag()])
      number++
    }
  }

  async function* open(name: string, sealed: Bytes): AsyncGenerator<Buffer> {
    let own: Buffer | undefined
    let number = 0
    const head = MAGIC.length + SALT
    for await (const { bytes, isLast } of piecesOf(sealed, (i) => (i === 0 ? head : CHUNK + TAG))) {
      if (!own) {
        if (bytes.length < head || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
          throw new DamagedBackup(`${name} of the backup is damaged: it does not begin as it was written`)
        if (isLast) throw new DamagedBackup(`${name} of the backup is damaged: it ends after its beginning`)
        own = keyOf(bytes.subarray(MAGIC.length))
        continue
      }
      const end = Math.max(0, bytes.length - TAG)
      const opening = createDecipheriv('aes-256-gcm', own, nonceOf(number), { authTagLength: TAG })
      opening.setAAD(aboutOf(name, number, isLast))
      try {
        opening.setAuthTag(bytes.subarray(end))
        yield Buffer.concat([opening.update(bytes.subarray(0, end)), opening.final()])
      } catch {
        throw new DamagedBackup(`${name} of the backup is damaged, or cut off, in its part ${number + 1}`)
      }
      number++
    }
  }

  return {
    check: createHmac('sha256', names).update('check').digest('hex').slice(0, 32),
    nameOf: (sha256) => createHmac('sha256', names).update(sha256).digest('hex'),
    seal,
    open,
  }
}
