import { type FileHandle, open, rm } from 'node:fs/promises'
import type { SpoolSegment } from './port.ts'

const BLOCK = 2 ** 16
const LINE_FEED = 10

/** Drops what a crash has cut off; undefined, and gone, where nothing whole is left. */
export async function recoverSegment(number: number, path: string): Promise<SpoolSegment | undefined> {
  const handle = await open(path, 'r+')
  try {
    const { size, mtimeMs: written } = await handle.stat()
    const bytes = await lengthOfWholeLines(handle, size)
    if (bytes < size) {
      await handle.truncate(bytes)
      await handle.sync()
    }
    if (bytes > 0) return { number, path, bytes, written }
  } finally {
    await handle.close()
  }
  await rm(path)
  return undefined
}

async function lengthOfWholeLines(handle: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK)
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - BLOCK)
    const { bytesRead } = await handle.read(block, 0, end - from, from)
    const at = block.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    if (at >= 0) return from + at + 1
    end = from
  }
  return 0
}
