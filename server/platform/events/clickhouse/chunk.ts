import { type FileHandle, open } from 'node:fs/promises'
import type { EventLine } from '../line.ts'

/** A batch is about this long: enough for few parts on disk, and bounded in memory. */
const BATCH_BYTES = 8 * 2 ** 20
const LINE_FEED = 10

export interface Lines {
  lines: EventLine[]
  /** Where the last of them ends in the file. */
  end: number
}

/** Reads whole lines from a place in a file on: all up to another, or as many as make up a batch. */
export async function readLines(path: string, from: number, to: number, whole = false): Promise<Lines> {
  const file = await open(path)
  try {
    for (let bytes = whole ? to - from : BATCH_BYTES; ; bytes *= 2) {
      const read = await readPart(file, from, Math.min(to, from + bytes))
      const end = read.lastIndexOf(LINE_FEED) + 1
      // A line that is longer than a batch is a batch of its own.
      if (end === 0 && from + bytes < to) continue
      if (end === 0 || (whole && end < read.length)) throw new Error(`${path} has no whole line at ${from}`)
      const lines = read
        .toString('utf8', 0, end - 1)
        .split('\n')
        .map((line) => JSON.parse(line))
      return { lines, end: from + end }
    }
  } finally {
    await file.close()
  }
}

async function readPart(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(to - from)
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled)
    if (bytesRead === 0) throw new Error(`the file ends before ${to}`)
    filled += bytesRead
  }
  return buffer
}
