import {
  MAX_PARTS,
  MAX_PROFILE_BYTES,
  MAX_SCANS,
  refuseLongerThan,
  refuseMoreThan,
  type Sides,
} from './limits.ts'

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const APP2 = 0xe2
const ICC = 'ICC_PROFILE\0'

/** The frame's header, where it lies within what is there. */
export function jpegSides(head: Buffer): Sides | undefined {
  for (const { marker, at, length } of segments(head)) {
    if (!isFrameHeader(marker)) continue
    if (length < 7 || at + 7 > head.length) return undefined
    return { width: head.readUInt16BE(at + 5), height: head.readUInt16BE(at + 3) }
  }
  return undefined
}

/**
 * Counts the scans of a progressive JPEG: one that changes nothing is a few bytes long, and costs the decoder a
 * pass over every block of the picture.
 */
export function inspectJpeg(bytes: Buffer): void {
  let parts = 0
  let scans = 0
  let profile = 0
  for (const { marker, at, length } of segments(bytes)) {
    refuseMoreThan(MAX_PARTS, ++parts, 'segments')
    if (marker === START_OF_SCAN) refuseMoreThan(MAX_SCANS, ++scans, 'scans')
    if (marker === APP2 && bytes.toString('latin1', at + 2, at + 2 + ICC.length) === ICC) profile += length
    refuseLongerThan(MAX_PROFILE_BYTES, profile, 'colour profile')
  }
}

/** ITU-T T.81, B.1: markers, and after most of them a length that counts itself; `at` is where that stands. */
function* segments(bytes: Buffer): Generator<{ marker: number; at: number; length: number }> {
  for (let at = bytes.indexOf(0xff, 2); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1]!
    if (marker === END_OF_IMAGE) return
    if (!hasLength(marker)) {
      // Of two bytes 0xff the second may begin the marker.
      at += marker === 0xff ? 1 : 2
      continue
    }
    at += 2
    if (at + 2 > bytes.length) return
    const length = bytes.readUInt16BE(at)
    yield { marker, at, length }
    at += Math.max(length, 2)
  }
}

/** Not so within a scan, where 0xff is followed by 0 or by a restart, and for a few others that stand alone. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd8)
}

/** All of 0xc0 to 0xcf but the tables and an extension. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}
