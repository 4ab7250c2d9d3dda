import { MAX_FRAMES, MAX_PARTS, refuseMoreThan, type Sides } from './limits.ts'

const HEADER_BYTES = 13
const EXTENSION = 0x21
const IMAGE = 0x2c

/** GIF89a, 18: the screen on which all frames are drawn. */
export function gifSides(head: Buffer): Sides | undefined {
  if (head.length < HEADER_BYTES) return undefined
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
}

/** Counts frames and blocks: each is a few bytes, and may redraw the whole screen. */
export function inspectGif(bytes: Buffer): void {
  let parts = 0
  let frames = 0
  let at = HEADER_BYTES + paletteBytes(bytes[10])
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === IMAGE) {
      refuseMoreThan(MAX_FRAMES, ++frames, 'frames')
      // A place, sides, flags, perhaps colours of its own, and the size of a code.
      at += 10 + paletteBytes(bytes[at + 9]) + 1
    } else if (kind === EXTENSION) at += 2
    else return
    // Sub-blocks, each after its length, until one of none.
    for (let length = bytes[at]; length; length = bytes[at]) {
      refuseMoreThan(MAX_PARTS * 10, ++parts, 'blocks')
      at += 1 + length
    }
    refuseMoreThan(MAX_PARTS * 10, ++parts, 'blocks')
    at += 1
  }
}

/** Three bytes for each colour of a palette, where the flags tell of one. */
function paletteBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}
