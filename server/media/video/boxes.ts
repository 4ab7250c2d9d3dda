import type { Readable } from 'node:stream'
import { MediaProgramFailed } from './errors.ts'

/** ISO base media boxes: as much of them as fragmented MP4 with one track needs. */
export interface Box {
  type: string
  /** With its header. */
  bytes: Buffer
}

const HEADER = 8
const MAX_BOX_BYTES = 512 * 2 ** 20

/** The boxes of a stream, one after the other as they come in whole. */
export async function* readBoxes(stream: Readable): AsyncGenerator<Box> {
  let chunks: Buffer[] = []
  let held = 0
  let needed = HEADER
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    held += chunk.length
    while (held >= needed) {
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      const size = joined.readUInt32BE(0)
      if (size < HEADER || size > MAX_BOX_BYTES) throw new MediaProgramFailed(`a box of ${size} bytes`)
      chunks = [joined]
      needed = size
      if (held < size) break
      yield { type: joined.toString('latin1', 4, 8), bytes: joined.subarray(0, size) }
      chunks = [joined.subarray(size)]
      held -= size
      needed = HEADER
    }
  }
}

/** The boxes inside a box, or inside what follows its first `skip` bytes. */
export function* inside(box: Buffer, skip = HEADER): Generator<Box> {
  for (let at = skip; at + HEADER <= box.length; ) {
    const size = box.readUInt32BE(at)
    if (size < HEADER || at + size > box.length) throw new MediaProgramFailed(`a box of ${size} bytes`)
    yield { type: box.toString('latin1', at + 4, at + 8), bytes: box.subarray(at, at + size) }
    at += size
  }
}

/** The first box of a path such as `moov/trak/mdia`. */
export function find(box: Buffer, path: string): Buffer | undefined {
  let found: Buffer | undefined = box
  for (const type of path.split('/')) {
    found = found && [...inside(found)].find((one) => one.type === type)?.bytes
  }
  return found
}

/** Ticks a second, from an `mdhd` or `mvhd`; 0 where there is none. */
export function timescaleOf(header: Buffer | undefined): number {
  return header ? header.readUInt32BE(header[8] === 1 ? 28 : 20) : 0
}

export function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const header = Buffer.alloc(HEADER)
  header.writeUInt32BE(HEADER + body.length, 0)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

/** A box with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: Buffer[]): Buffer {
  return box(type, u32((version << 24) | flags), ...parts)
}

export function u8(...values: number[]): Buffer {
  return Buffer.from(values)
}

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => {
    bytes.writeUInt16BE(value, 2 * i)
  })
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => {
    bytes.writeUInt32BE(value >>> 0, 4 * i)
  })
  return bytes
}
