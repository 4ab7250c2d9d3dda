import { box, fullBox, u8, u16, u32 } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'

const FILE_TYPE = box('ftyp', Buffer.from('iso6'), u32(0), Buffer.from('iso6cmfcmp41'))
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
/** Language `und`. */
const NO_LANGUAGE = 0x55c4

/** The initialisation segment of video, out of the `moov` that ffmpeg wrote. */
export function videoInit(moov: Buffer): Buffer {
  return Buffer.concat([FILE_TYPE, moov])
}

/** What RFC 6381 calls the codec of an H.264 track, as its `moov` or initialisation segment has it. */
export function codecOf(moov: Buffer): string {
  const at = moov.indexOf('avcC')
  if (at < 0) throw new MediaProgramFailed('no H.264 track')
  return `avc1.${moov.toString('hex', at + 5, at + 8)}`
}

/** How many bytes the lengths of units take in the pictures of an H.264 track. */
export function unitLengthBytes(moov: Buffer): number {
  const at = moov.indexOf('avcC')
  if (at < 0) throw new MediaProgramFailed('no H.264 track')
  return (moov[at + 8]! & 3) + 1
}

/**
 * The parameter sets of an H.264 track as units that may stand before a picture, where lengths take four bytes, as
 * ffmpeg writes them; undefined for a file of other lengths.
 */
export function parameterSets(moov: Buffer): Buffer | undefined {
  const at = moov.indexOf('avcC')
  if (at < 0 || unitLengthBytes(moov) !== 4) return undefined
  const sets: Buffer[] = []
  let field = at + 9
  for (const mask of [0x1f, 0xff]) {
    for (let left = moov[field++]! & mask; left > 0; left--) {
      const length = moov.readUInt16BE(field)
      sets.push(u32(length), moov.subarray(field + 2, field + 2 + length))
      field += 2 + length
    }
  }
  return Buffer.concat(sets)
}

/** The initialisation segment of AAC-LC sound. */
export function audioInit(sampleRate: number, channels: number): Buffer {
  const track = fullBox('tkhd', 0, 7, u32(0, 0, 1, 0, 0, 0, 0), u16(0, 0, 0x0100, 0), MATRIX, u32(0, 0))
  const entry = box(
    'mp4a',
    u32(0),
    u16(0, 1),
    u32(0, 0),
    u16(channels, 16, 0, 0),
    u32(sampleRate * 65536),
    fullBox('esds', 0, 0, decoderConfig(sampleRate, channels)),
  )
  const empty = (type: string, fields: number) => fullBox(type, 0, 0, u32(...Array(fields).fill(0)))
  const tables = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), entry),
    empty('stts', 1),
    empty('stsc', 1),
    empty('stsz', 2),
    empty('stco', 1),
  )
  const dataInfo = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)))
  const media = box(
    'mdia',
    fullBox('mdhd', 0, 0, u32(0, 0, sampleRate, 0), u16(NO_LANGUAGE, 0)),
    fullBox('hdlr', 0, 0, u32(0), Buffer.from('soun'), u32(0, 0, 0), u8(0)),
    box('minf', fullBox('smhd', 0, 0, u32(0)), dataInfo, tables),
  )
  const head = fullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, sampleRate, 0, 0x10000),
    u16(0x0100, 0),
    u32(0, 0),
    MATRIX,
    u32(0, 0, 0, 0, 0, 0, 2),
  )
  const extends_ = box('mvex', fullBox('trex', 0, 0, u32(1, 1, 0, 0, 0)))
  return Buffer.concat([FILE_TYPE, box('moov', head, box('trak', track, media), extends_)])
}

const SAMPLE_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000]

/** An ES descriptor around the two bytes that describe AAC-LC. */
function decoderConfig(sampleRate: number, channels: number): Buffer {
  const rate = SAMPLE_RATES.indexOf(sampleRate)
  const specific = u16((2 << 11) | (rate << 7) | (channels << 3))
  const descriptor = (tag: number, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    return Buffer.concat([u8(tag, body.length), body])
  }
  return descriptor(
    3,
    u8(0, 1, 0),
    descriptor(4, u8(0x40, 0x15, 0, 0, 0), u32(0, 0), descriptor(5, specific)),
    descriptor(6, u8(2)),
  )
}
