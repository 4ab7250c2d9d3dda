import {
  MAX_EXIF_BYTES,
  MAX_FRAMES,
  MAX_PARTS,
  MAX_PROFILE_BYTES,
  refuseLongerThan,
  refuseMoreThan,
  type Sides,
} from './limits.ts'

const FIRST_CHUNK = 12

/** RFC 9649: what the first chunk says of the canvas, or of the only picture. */
export function webpSides(head: Buffer): Sides | undefined {
  if (head.length < FIRST_CHUNK + 18) return undefined
  const at = FIRST_CHUNK + 8
  switch (head.toString('latin1', FIRST_CHUNK, FIRST_CHUNK + 4)) {
    case 'VP8X':
      return { width: head.readUIntLE(at + 4, 3) + 1, height: head.readUIntLE(at + 7, 3) + 1 }
    case 'VP8L': {
      const packed = head.readUInt32LE(at + 1)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(at + 6) & 0x3fff, height: head.readUInt16LE(at + 8) & 0x3fff }
    default:
      return undefined
  }
}

export function inspectWebp(bytes: Buffer): void {
  let parts = 0
  let frames = 0
  for (let at = FIRST_CHUNK; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    refuseMoreThan(MAX_PARTS, ++parts, 'chunks')
    if (type === 'ANMF') refuseMoreThan(MAX_FRAMES, ++frames, 'frames')
    if (type === 'ICCP') refuseLongerThan(MAX_PROFILE_BYTES, length, 'colour profile')
    if (type === 'EXIF') refuseLongerThan(MAX_EXIF_BYTES, length, 'EXIF data')
    // Chunks start at even places.
    at += 8 + length + (length & 1)
  }
}
