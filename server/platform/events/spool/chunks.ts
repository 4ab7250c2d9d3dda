import { open } from 'node:fs/promises'
import type { Segment } from './port.ts'

const LINE_FEED = 10
const BLOCK = 2 ** 16

/** Where to stop reading whole lines from an offset on: at `most` bytes, or after the first line if that is longer. */
export async function endOfChunk({ path, bytes }: Segment, from: number, most: number): Promise<number> {
  if (from + most >= bytes) return bytes
  const handle = await open(path)
  try {
    const block = Buffer.alloc(BLOCK)
    const read = async (at: number) => {
      const { bytesRead } = await handle.read(block, 0, Math.min(BLOCK, bytes - at), at)
      return block.subarray(0, bytesRead)
    }
    for (let end = from + most; end > from; end -= BLOCK) {
      const start = Math.max(from, end - BLOCK)
      const at = (await read(start)).subarray(0, end - start).lastIndexOf(LINE_FEED)
      if (at >= 0) return start + at + 1
    }
    for (let start = from + most; ; start += BLOCK) {
      const at = (await read(start)).indexOf(LINE_FEED)
      if (at >= 0) return start + at + 1
    }
  } finally {
    await handle.close()
  }
}
