import { type BigIntStats, constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { isMissing } from './disk-folders.ts'
import { RangeNotSatisfiable } from './errors.ts'
import type { ByteRange, ObjectInfo, OpenObject } from './port.ts'
import { checkRange } from './ranges.ts'

/** Opens an object's file; undefined where there is none (a folder is none). */
export async function openObject(file: string, range?: ByteRange): Promise<OpenObject | undefined> {
  if (range) checkRange(range)
  const handle = await ifThere(open(file, constants.O_RDONLY | constants.O_NOFOLLOW))
  if (!handle) return undefined
  const stat = await handle.stat({ bigint: true })
  const info = describe(stat)
  const outside = range && range.start >= info.size
  if (stat.isFile() && !outside) return { ...info, stream: handle.createReadStream({ start: 0, ...range }) }
  await handle.close()
  if (stat.isFile()) throw new RangeNotSatisfiable(info.size)
}

export async function inspect(file: string): Promise<ObjectInfo | undefined> {
  const stat = await ifThere(lstat(file, { bigint: true }))
  return stat?.isFile() ? describe(stat) : undefined
}

/** A body never changes within its file: which file it is, and since when, tells which body it is. */
export function describe({ ino, mtimeNs, size, mtime }: BigIntStats): ObjectInfo {
  const version = [ino, mtimeNs, size].map((number) => number.toString(36)).join('-')
  return { size: Number(size), etag: `"${version}"`, lastModified: mtime }
}

export async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
