import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * Opens a file to be stored. It may come from a program that handled untrusted media, so a link, which
 * could lead to any other file, is refused, and so is a pipe, which could keep us waiting.
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
