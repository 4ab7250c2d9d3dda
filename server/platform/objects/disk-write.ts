import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { hasCode } from './disk-folders.ts'
import { asStorageFull } from './download.ts'
import { ObjectSizeMismatch, ObjectTooLarge } from './errors.ts'
import { readWhole } from './local-file.ts'
import { type Measured, measure } from './measure.ts'
import type { ObjectInfo, PutOptions, StoredObject } from './port.ts'

/** A name that nothing else has, in the folder for what is not whole yet. */
export function temporaryIn(folder: string): string {
  return path.join(folder, randomUUID())
}

/** Writes a body to a temporary file and reveals it once all of it is on the disk, or removes it. */
export async function writeWhole(
  body: Measured,
  temporary: string,
  reveal: () => Promise<void>,
): Promise<StoredObject> {
  try {
    const handle = await open(temporary, 'wx', 0o600)
    const etag = await writeDurably(handle, body).finally(() => handle.close())
    await reveal()
    return { ...body.total(), etag }
  } catch (error) {
    await rm(temporary, { force: true })
    throw asStorageFull(error)
  }
}

/** Bytes that are written at once: each write is a trip to another thread, and a body comes in pieces of 64 KiB at most. */
export const WRITE_BYTES = 512 * 1024

/** Writes a body half a megabyte at a time, and takes in the next one meanwhile; flushes once, at its end. */
async function writeDurably(handle: FileHandle, body: Measured): Promise<string> {
  let gathered: Buffer[] = []
  let bytes = 0
  let writing: Promise<void> = Promise.resolve()
  async function write(): Promise<void> {
    await writing
    writing = writeAll(handle, gathered).then(body.stored.bind(body, gathered))
    // Whoever waits for it next hears of it.
    writing.catch(() => {})
    gathered = []
    bytes = 0
  }
  try {
    for await (const chunk of body.chunks) {
      gathered.push(chunk)
      bytes += chunk.length
      if (bytes >= WRITE_BYTES) await write()
    }
    await write()
  } finally {
    await writing
  }
  return flushed(handle)
}

/** From a position on, or where the last write ended. */
export async function writeAll(handle: FileHandle, chunks: Buffer[], position?: number): Promise<void> {
  let rest = chunks
  let place = position
  while (rest.length > 0) {
    const { bytesWritten } = await handle.writev(rest, place)
    if (place !== undefined) place += bytesWritten
    rest = after(bytesWritten, rest)
  }
}

/** What is left of these chunks after so many bytes: a write may take fewer than it was given. */
function after(written: number, chunks: Buffer[]): Buffer[] {
  let passed = 0
  let whole = 0
  while (whole < chunks.length && passed + chunks[whole]!.length <= written) passed += chunks[whole++]!.length
  const rest = chunks.slice(whole)
  if (rest.length > 0) rest[0] = rest[0]!.subarray(written - passed)
  return rest
}

/**
 * Turns a finished file into the object without copying it: reads it through where its hash is wanted,
 * closes it to others, and reveals it. Undefined where only a copy will do.
 */
export async function adopt(
  handle: FileHandle,
  options: PutOptions,
  reveal: () => Promise<void>,
): Promise<StoredObject | undefined> {
  // Through a second name the object could be changed later.
  if ((await handle.stat()).nlink > 1) return undefined
  const total = await measureFile(handle, options)
  try {
    await handle.chown(process.geteuid!(), process.getegid!())
    await handle.chmod(0o600)
    const now = new Date()
    await handle.utimes(now, now)
    const etag = await flushed(handle)
    await reveal()
    return { ...total, etag }
  } catch (error) {
    // It belongs to somebody else, or lies on another file system.
    if (hasCode(error, 'EPERM', 'EXDEV')) return undefined
    throw asStorageFull(error)
  }
}

async function measureFile(handle: FileHandle, options: PutOptions): Promise<Omit<StoredObject, 'etag'>> {
  const { size } = await handle.stat()
  const { size: announced = size, maxBytes = Infinity } = options
  if (size > maxBytes) throw new ObjectTooLarge(maxBytes)
  if (size !== announced) throw new ObjectSizeMismatch(announced, size)
  if (!options.sha256) return { size }
  const body = measure(readWhole(handle), options)
  for await (const _ of body.chunks);
  return body.total()
}

async function flushed(handle: FileHandle): Promise<string> {
  await handle.sync()
  return describe(await handle.stat({ bigint: true })).etag
}

/** A body never changes within its file: which file it is, and since when, tells which body it is. */
export function describe({ ino, mtimeNs, size, mtime }: BigIntStats): ObjectInfo {
  const version = [ino, mtimeNs, size].map((number) => number.toString(36)).join('-')
  return { size: Number(size), etag: `"${version}"`, lastModified: mtime }
}
