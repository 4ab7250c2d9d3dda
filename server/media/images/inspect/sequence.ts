import { type Hdr, hdrOf } from '../child/hdr.ts'
import { boxes, colourCodesOf, find } from './heic.ts'
import { MAX_FRAMES, refuseMoreThan, refuseMovingTooMuch, refuseTooLarge, type Sides } from './limits.ts'

/** Pictures one after the other in an AVIF, as a film has them. */
export interface PictureSequence {
  /** Whether a second track says what shows through. */
  hasAlpha: boolean
  /** Where it is in high dynamic range. */
  hdr: Hdr | undefined
}

/** A version and flags. */
const FULL = 4

interface SequenceTrack extends Sides {
  handler: string
  frames: number
}

/**
 * The pictures of an AVIF that moves; undefined for one that stands still. Throws UnsupportedImage for more than is taken,
 * and anything else for a file that is damaged.
 */
export function sequenceOf(bytes: Buffer): PictureSequence | undefined {
  const moov = find(bytes, 'moov')
  if (!moov) return undefined
  const tracks = [...boxes(moov)]
    .filter(({ type }) => type === 'trak')
    .map(({ content }) => readTrack(content))
  const pictures = tracks.find(({ handler }) => handler === 'pict')
  if (!pictures || pictures.frames < 2) return undefined
  refuseTooLarge(pictures)
  refuseMoreThan(MAX_FRAMES, pictures.frames, 'frames')
  refuseMovingTooMuch(pictures, pictures.frames)
  const hdr = hdrOf(colourCodesOf(bytes))
  return {
    hdr,
    hasAlpha: tracks.some(({ handler, frames }) => handler === 'auxv' && frames === pictures.frames),
  }
}

/** ISO/IEC 14496-12: what a track is for, how many samples it has, and the size of its pictures. */
function readTrack(trak: Buffer): SequenceTrack {
  const mdia = find(trak, 'mdia')
  const handler = mdia && find(mdia, 'hdlr')
  const minf = mdia && find(mdia, 'minf')
  const tables = minf && find(minf, 'stbl')
  const sizes = tables && find(tables, 'stsz')
  const description = tables && find(tables, 'stsd')?.subarray(FULL + 4)
  const [entry] = description ? boxes(description) : []
  return {
    handler: handler?.toString('latin1', FULL + 4, FULL + 8) ?? '',
    frames: sizes?.readUInt32BE(FULL + 4) ?? 0,
    width: entry?.content.readUInt16BE(24) ?? 0,
    height: entry?.content.readUInt16BE(26) ?? 0,
  }
}
