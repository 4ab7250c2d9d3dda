import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { isDiskFull } from '../../base/disk-full.ts'
import { StorageFull, StorageUnavailable } from './errors.ts'
import type { ObjectInfo, OpenObject } from './port.ts'

/** Writes an open object to a local file; one that could not be written whole is removed. */
export async function writeToFile({ stream, ...info }: OpenObject, path: string): Promise<ObjectInfo> {
  const file = createWriteStream(path, { mode: 0o600 })
  try {
    await pipeline(stream, file)
    if (file.bytesWritten !== info.size) throw new StorageUnavailable(new Error('the object was cut off'))
    return info
  } catch (error) {
    await rm(path, { force: true })
    throw asStorageFull(error)
  }
}

export function asStorageFull(error: unknown): unknown {
  return isDiskFull(error) ? new StorageFull(error) : error
}
