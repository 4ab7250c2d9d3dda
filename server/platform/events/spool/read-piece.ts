import { type FileHandle, open } from 'node:fs/promises'
import type { Chunk } from '../port.ts'
import { checkLine } from './check-line.ts'

/** What an engine takes at once, so that no load needs more memory than it has. One line is always taken. */
export interface PieceLimits {
  bytes: number
  events: number
}

export interface PieceLine {
  /** Without its line feed. */
  bytes: Buffer
  /** Where it is in the segment, its line feed included. */
  from: number
  to: number
}

export interface RejectedLine extends PieceLine {
  reason: string
}

/** Whole lines of a segment: those that can be loaded, and those that cannot. */
export interface Piece {
  lines: PieceLine[]
  rejected: RejectedLine[]
  /** Where it ends in the segment. */
  end: number
}

const LINE_FEED = 10
/** Every line begins with it, and no text in a line can: quotation marks are escaped there. */
const BEGINNING = '{"organization":'

/** Reads as much of a chunk as an engine takes at once; all of it where there are no limits. */
export async function readPiece(chunk: Chunk, limits?: PieceLimits): Promise<Piece> {
  const read = await readLines(chunk, limits?.bytes ?? chunk.to - chunk.from)
  const piece: Piece = { lines: [], rejected: [], end: chunk.from }
  let events = 0
  let count = 0
  for (let at = 0; at < read.length && count < (chunk.lines ?? Number.POSITIVE_INFINITY); count++) {
    // A chunk ends with a line, also where its last line feed is damaged.
    const next = read.indexOf(LINE_FEED, at) + 1 || read.length
    const line = { bytes: read.subarray(at, next - 1), from: chunk.from + at, to: chunk.from + next }
    const checked = chunk.reject === undefined ? checkLine(line.bytes) : { reason: chunk.reject }
    if ('events' in checked) {
      if (limits && events > 0 && events + checked.events > limits.events) break
      events += checked.events
      piece.lines.push(line)
    } else sortOut(line, checked.reason, piece)
    at = next
    piece.end = line.to
  }
  return piece
}

/** Where the line feed between two lines is what was damaged, both are still there. */
function sortOut(line: PieceLine, reason: string, piece: Piece): void {
  const second = line.bytes.indexOf(BEGINNING, 1)
  if (second < 0) {
    piece.rejected.push({ ...line, reason })
    return
  }
  const parts = [
    { ...line, bytes: line.bytes.subarray(0, second - 1), to: line.from + second },
    { ...line, bytes: line.bytes.subarray(second), from: line.from + second },
  ]
  for (const part of parts) {
    const checked = checkLine(part.bytes)
    if ('events' in checked) piece.lines.push(part)
    else sortOut(part, checked.reason, piece)
  }
}

/** The first lines of a piece. */
export function firstOf({ lines, rejected, end }: Piece, count: number): Piece {
  if (count >= lines.length) return { lines, rejected, end }
  const stop = lines[count]!.from
  return { lines: lines.slice(0, count), rejected: rejected.filter(({ from }) => from < stop), end: stop }
}

/** Whole lines: at most so many bytes, or one line that is longer. */
async function readLines({ path, from, to }: Chunk, most: number): Promise<Buffer> {
  const file = await open(path)
  try {
    for (let bytes = most; ; bytes *= 2) {
      const read = await readPart(file, from, Math.min(to, from + bytes))
      if (from + bytes >= to) return read
      const end = read.lastIndexOf(LINE_FEED) + 1
      if (end > 0) return read.subarray(0, end)
    }
  } finally {
    await file.close()
  }
}

async function readPart(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(to - from)
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled)
    if (bytesRead === 0) throw new Error(`the file ends before ${to}`)
    filled += bytesRead
  }
  return buffer
}
