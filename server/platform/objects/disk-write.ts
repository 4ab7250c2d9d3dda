import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { hasCode } from './disk-folders.ts'
import { describe } from './disk-read.ts'
import { asStorageFull } from './download.ts'
import { readWhole } from './local-file.ts'
import { type Measured, measure } from './measure.ts'
import type { PutOptions, StoredObject } from './port.ts'

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

async function writeDurably(handle: FileHandle, body: Measured): Promise<string> {
  for await (const chunk of body.chunks) await handle.writeFile(chunk)
  return flushed(handle)
}

/**
 * Turns a finished file into the object without copying it: reads it through for its hash, closes it
 * to others, and reveals it. Undefined where only a copy will do.
 */
export async function adopt(
  handle: FileHandle,
  options: PutOptions,
  reveal: () => Promise<void>,
): Promise<StoredObject | undefined> {
  // Through a second name the object could be changed later.
  if ((await handle.stat()).nlink > 1) return undefined
  const body = measure(readWhole(handle), options)
  for await (const _ of body.chunks);
  try {
    await handle.chown(process.geteuid!(), process.getegid!())
    await handle.chmod(0o600)
    const now = new Date()
    await handle.utimes(now, now)
    const etag = await flushed(handle)
    await reveal()
    return { ...body.total(), etag }
  } catch (error) {
    // It belongs to somebody else, or lies on another file system.
    if (hasCode(error, 'EPERM', 'EXDEV')) return undefined
    throw asStorageFull(error)
  }
}

async function flushed(handle: FileHandle): Promise<string> {
  await handle.sync()
  return describe(await handle.stat({ bigint: true })).etag
}
