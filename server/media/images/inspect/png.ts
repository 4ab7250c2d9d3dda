import {
  MAX_EXIF_BYTES,
  MAX_PARTS,
  MAX_PROFILE_BYTES,
  MAX_TEXTS,
  refuseLongerThan,
  refuseMoreThan,
  type Sides,
} from './limits.ts'

const SIGNATURE_BYTES = 8
const TEXTS = new Set(['tEXt', 'zTXt', 'iTXt'])

/** IHDR comes first, always. */
export function pngSides(head: Buffer): Sides | undefined {
  if (head.length < 24 || head.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** Bits for each colour of a pixel. */
export function pngDepth(head: Buffer): number {
  return head.readUInt8(24)
}

/** PNG, third edition, 5.3: the length of a chunk, its type, its data and a checksum. */
export function inspectPng(bytes: Buffer): void {
  let parts = 0
  let texts = 0
  for (let at = SIGNATURE_BYTES; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    refuseMoreThan(MAX_PARTS, ++parts, 'chunks')
    if (TEXTS.has(type)) refuseMoreThan(MAX_TEXTS, ++texts, 'texts')
    if (type === 'iCCP') refuseLongerThan(MAX_PROFILE_BYTES, length, 'colour profile')
    if (type === 'eXIf') refuseLongerThan(MAX_EXIF_BYTES, length, 'EXIF data')
    if (type === 'IEND') return
    at += 12 + length
  }
}
