import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * Opens a file to be stored. A link is refused: the file may come from a program that handled
 * untrusted media, and must not lead to another one.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new TypeError(`not a regular file: ${path}`)
}

/** One stream over an open file, which stays open. */
export function readWhole(handle: FileHandle) {
  return handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 2 ** 20 })
}
