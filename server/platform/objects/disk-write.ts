import { randomUUID } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { asStorageFull } from './download.ts'
import type { Measured } from './measure.ts'
import type { ObjectInfo, StoredObject } from './port.ts'

/** A name that nothing else has, in the folder for what is not whole yet. */
export function temporaryIn(folder: string): string {
  return path.join(folder, randomUUID())
}

/** Writes a body to a file that appears under its name only through `reveal`, or not at all. */
export async function writeWhole(
  body: Measured,
  temporary: string,
  reveal: () => Promise<void>,
): Promise<StoredObject> {
  try {
    const handle = await open(temporary, 'wx', 0o600)
    const etag = await writeAndFlush(handle, body).finally(() => handle.close())
    await reveal()
    return { ...body.total(), etag }
  } catch (error) {
    await rm(temporary, { force: true })
    throw asStorageFull(error)
  }
}

async function writeAndFlush(handle: FileHandle, body: Measured): Promise<string> {
  for await (const chunk of body.chunks) await handle.writeFile(chunk)
  await handle.sync()
  return describe(await handle.stat({ bigint: true })).etag
}

/**
 * Makes a finished file ours as it is: read through for its hash, closed to others, on the disk, dated
 * now. Fails with EPERM where it belongs to somebody else.
 */
export async function adopt(handle: FileHandle, body: Measured): Promise<StoredObject> {
  for await (const _ of body.chunks);
  await handle.chown(process.geteuid!(), process.getegid!())
  await handle.chmod(0o600)
  const now = new Date()
  await handle.utimes(now, now)
  await handle.sync()
  return { ...body.total(), etag: describe(await handle.stat({ bigint: true })).etag }
}

export function describe({ ino, mtimeNs, size, mtime }: BigIntStats): ObjectInfo {
  // A body never changes in its file, so which file it is, and since when, says which body it is.
  const etag = [ino, mtimeNs, size].map((number) => number.toString(36)).join('-')
  return { size: Number(size), etag: `"${etag}"`, lastModified: mtime }
}

/** Opens a stored object; a folder is none. */
export async function openObject(file: string): Promise<{ handle: FileHandle; info: ObjectInfo } | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  const stat = await handle.stat({ bigint: true })
  if (stat.isFile()) return { handle, info: describe(stat) }
  await handle.close()
}
