import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { StartupError } from '../base/errors.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import { type Cipher, cipherOf, PLAIN } from './cipher.ts'
import { DamagedBackup } from './errors.ts'
import { type BlobRef, hashOf, type Manifest, parseManifest, writeManifest } from './manifest.ts'

/** Where backups are kept. */
export type VaultPlace = Pick<ObjectStore, 'put' | 'get' | 'head' | 'delete' | 'list' | 'sweepTemporary'>

const compress = promisify(gzip)
const ABOUT = 'backups.json'
const BLOBS = 'blobs/'
const MANIFESTS = 'manifests/'
const FORMAT = 'marquee backups'

interface About {
  format: typeof FORMAT
  version: 1
  installation: string
  /** Where they are encrypted: what recognizes the key. */
  check?: string
}

/** Backups of one installation in one place: manifests, and what they name, which is kept once. */
export interface Vault {
  about: About
  ids(): Promise<string[]>
  read(id: string): Promise<Manifest>
  write(manifest: Manifest): Promise<void>
  remove(id: string): Promise<void>
  /** Keeps content that is in memory; answers how much of it was not there before. */
  keep(content: Buffer): Promise<{ ref: BlobRef; added: number }>
  /** Keeps content that is read twice: once to know its name. */
  keepObject(open: () => Promise<AsyncIterable<Buffer>>): Promise<KeptObject>
  /** Rejects with DamagedBackup, at the end perhaps, where it is not what was kept. */
  open(ref: BlobRef): AsyncIterable<Buffer>
  has(blob: string): Promise<boolean>
  /** Deletes what no manifest names. Answers how many. */
  sweep(named: (blob: string) => boolean): Promise<number>
}

export interface KeptObject {
  blob: string
  sha256: string
  size: number
  added: number
}

/** Up to here content is read once and held in memory. */
const IN_MEMORY = 8 * 2 ** 20

interface VaultOptions {
  place: VaultPlace
  key?: Buffer
  /** How it is called in messages. */
  name: string
  /** Makes a new one of this installation where there is none. */
  make?: { installation: string }
}

export async function openVault({ place, key, name, make }: VaultOptions): Promise<Vault> {
  const cipher = key ? cipherOf(key) : PLAIN
  const about = (await readAbout(place, name)) ?? (make && (await begin(place, cipher, make.installation)))
  if (!about) throw new StartupError(`there is no backup in ${name}`)
  if (about.check && !key)
    throw new StartupError(`the backups in ${name} are encrypted: give their key with --key-file`)
  if (!about.check && key)
    throw new StartupError(`the backups in ${name} are not encrypted: leave out --key-file`)
  if (about.check !== cipher.check) throw new StartupError(`the key is not that of the backups in ${name}`)
  if (make && about.installation !== make.installation)
    throw new StartupError(`${name} holds backups of another installation. Give this one a place of its own.`)

  const keyOf = (blob: string) => `${BLOBS}${blob.slice(0, 2)}/${blob}`
  const has = async (blob: string) => (await place.head(keyOf(blob))) !== undefined
  const put = async (blob: string, content: AsyncIterable<Buffer>) => {
    await place.put(keyOf(blob), Readable.from(cipher.seal(blob, content), { objectMode: false }))
  }

  async function* open({ blob, sha256, size, gzip: isCompressed }: BlobRef): AsyncGenerator<Buffer> {
    const found = await place.get(keyOf(blob))
    if (!found) throw new DamagedBackup(`${keyOf(blob)} of the backup is missing`)
    const hash = createHash('sha256')
    let read = 0
    try {
      const opened = cipher.open(blob, found.stream)
      for await (const bytes of isCompressed ? gunzipped(opened) : opened) {
        hash.update(bytes)
        read += bytes.length
        yield bytes
      }
    } catch (error) {
      if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
      throw new DamagedBackup(`${keyOf(blob)} of the backup is damaged: ${(error as Error).message}`)
    } finally {
      found.stream.destroy()
    }
    if (read !== size || hash.digest('hex') !== sha256)
      throw new DamagedBackup(`${keyOf(blob)} of the backup is damaged: it is not what its manifest names`)
  }

  return {
    about,
    has,
    open,

    async ids() {
      const found: string[] = []
      for await (const { key } of place.list(MANIFESTS)) found.push(key.slice(MANIFESTS.length))
      return found
    },

    async read(id) {
      const found = await place.get(MANIFESTS + id)
      if (!found) throw new StartupError(`there is no backup ${id} in ${name}`)
      return parseManifest(id, await buffer(cipher.open(MANIFESTS + id, found.stream)))
    },

    async write(manifest) {
      const id = MANIFESTS + manifest.id
      await place.put(id, await buffer(cipher.seal(id, only(writeManifest(manifest)))))
    },

    async remove(id) {
      await place.delete(MANIFESTS + id)
    },

    async keep(content) {
      const sha256 = hashOf(content)
      const blob = cipher.nameOf(hashOf(`gzip ${sha256}`))
      const ref: BlobRef = { blob, sha256, size: content.length, gzip: true }
      if (await has(blob)) return { ref, added: 0 }
      const compressed = await compress(content, { level: 6 })
      await put(blob, only(compressed))
      return { ref, added: compressed.length }
    },

    async keepObject(openContent) {
      const hash = createHash('sha256')
      let size = 0
      let held: Buffer[] | undefined = []
      for await (const bytes of await openContent()) {
        hash.update(bytes)
        size += bytes.length
        if (size > IN_MEMORY) held = undefined
        held?.push(bytes)
      }
      const sha256 = hash.digest('hex')
      const blob = cipher.nameOf(sha256)
      if (await has(blob)) return { blob, sha256, size, added: 0 }
      await put(blob, held ? only(Buffer.concat(held)) : sameAgain(await openContent(), sha256))
      return { blob, sha256, size, added: size }
    },

    async sweep(named) {
      let swept = 0
      for await (const { key } of place.list(BLOBS)) {
        if (named(key.slice(key.lastIndexOf('/') + 1))) continue
        await place.delete(key)
        swept++
      }
      return swept
    },
  }
}

async function readAbout(place: VaultPlace, name: string): Promise<About | undefined> {
  const found = await place.get(ABOUT)
  if (!found) return undefined
  try {
    const about = JSON.parse((await buffer(found.stream)).toString()) as About
    if (about.format === FORMAT && about.version === 1) return about
  } catch {}
  throw new DamagedBackup(`${ABOUT} in ${name} is damaged, or not of this version of Marquee`)
}

async function begin(place: VaultPlace, { check }: Cipher, installation: string): Promise<About> {
  const about: About = { format: FORMAT, version: 1, installation, ...(check && { check }) }
  await place.put(ABOUT, Buffer.from(`${JSON.stringify(about, null, 2)}\n`))
  return about
}

async function* only(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** What is read a second time must be what was read first. */
async function* sameAgain(content: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const bytes of content) {
    hash.update(bytes)
    yield bytes
  }
  if (hash.digest('hex') !== sha256) throw new Error('an object has changed while it was copied')
}

async function* gunzipped(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(content)
  const gunzip = createGunzip()
  source.once('error', (error) => gunzip.destroy(error))
  yield* source.pipe(gunzip)
}
