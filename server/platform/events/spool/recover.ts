import type { FileHandle } from 'node:fs/promises'

const BLOCK = 2 ** 16
const LINE_FEED = 10

/** How long a file is up to its last line feed. */
export async function lengthOfWholeLines(handle: FileHandle): Promise<number> {
  let end = (await handle.stat()).size
  const block = Buffer.alloc(BLOCK)
  while (end > 0) {
    const from = Math.max(0, end - BLOCK)
    const { bytesRead } = await handle.read(block, 0, end - from, from)
    const at = block.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    if (at >= 0) return from + at + 1
    end = from
  }
  return 0
}
