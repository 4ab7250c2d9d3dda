import { box, find, fullBox, inside, u8, u16, u32 } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'
import { dataHeader, moovOf, movie, type ProgressiveTrack, placesOf } from './progressive.ts'
import { SampleTables } from './sample-tables.ts'

const FILE_TYPE = box('ftyp', Buffer.from('avis'), u32(0), Buffer.from('avisavifmsf1iso8mif1miafMA1B'))
/** BT.709, of limited range. */
const COLOURS = box('colr', Buffer.from('nclx'), u16(1, 1, 1), u8(0))
const EIGHT_BITS = fullBox('pixi', 0, 0, u8(3, 8, 8, 8))
/** Pictures may refer to others, any number of them. */
const CONSTRAINTS = fullBox('ccst', 0, 0, u32(0x7c000000))

/**
 * An animated AVIF, of AV1 in a fragmented MP4 with one track: the pictures as a track, and the first of them as an image
 * for those who show only one. ffmpeg's own writer of it goes back in its file, which a pipe does not let it.
 */
export function avifSequence(mp4: Buffer): Buffer {
  const tables = new SampleTables()
  const bytes: number[] = []
  const data: Buffer[] = []
  for (const { type, bytes: one } of inside(mp4, 0)) {
    if (type === 'moof') bytes.push(tables.add(one))
    else if (type === 'mdat') data.push(one.subarray(8, 8 + bytes.at(-1)!))
  }
  const first = tables.firstSize
  const moov = moovOf(mp4)
  const stsd = moov && find(moov, 'trak/mdia/minf/stbl/stsd')
  const tkhd = moov && find(moov, 'trak/tkhd')
  if (!stsd || !tkhd || first === 0) throw new MediaProgramFailed('no pictures for an animation')
  const track: ProgressiveTrack = { kind: 'pictures', init: mp4, tables, bytes, stsd: constrained(stsd) }
  const mdat = dataHeader(bytes.reduce((sum, one) => sum + one, 0))
  const [width, height] = [tkhd.readUInt16BE(tkhd.length - 8), tkhd.readUInt16BE(tkhd.length - 4)]
  const still = (place: number) =>
    stillImage({ place, bytes: first, width, height, av1C: propertyOf(stsd, 'av1C') })
  const begin =
    FILE_TYPE.length + still(0).length + movie([track], placesOf([track], 0), false).length + mdat.length
  const places = placesOf([track], begin)
  return Buffer.concat([FILE_TYPE, still(begin), movie([track], places, false), mdat, ...data])
}

/** A `stsd` and its one entry begin with so many bytes before what is inside. */
const STSD_HEADER = 16
const ENTRY_HEADER = 86

function constrained(stsd: Buffer): Buffer {
  const entry = stsd.subarray(STSD_HEADER)
  return fullBox('stsd', 0, 0, u32(1), box('av01', entry.subarray(8), CONSTRAINTS))
}

function propertyOf(stsd: Buffer, wanted: string): Buffer {
  const found = [...inside(stsd.subarray(STSD_HEADER), ENTRY_HEADER)].find(({ type }) => type === wanted)
  if (!found) throw new MediaProgramFailed(`pictures without ${wanted}`)
  return found.bytes
}

interface Still {
  /** Where it is in the file. */
  place: number
  bytes: number
  width: number
  height: number
  av1C: Buffer
}

function stillImage({ place, bytes, width, height, av1C }: Still): Buffer {
  const size = fullBox('ispe', 0, 0, u32(width, height))
  // Each by its number; the highest bit says that it cannot be done without.
  const uses = fullBox('ipma', 0, 0, u32(1), u16(1), u8(4, 1, 2, 0x83, 4))
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, u32(0), Buffer.from('pict'), u32(0, 0, 0), u8(0)),
    fullBox('pitm', 0, 0, u16(1)),
    fullBox('iloc', 0, 0, u8(0x44, 0), u16(1, 1, 0, 1), u32(place, bytes)),
    fullBox('iinf', 0, 0, u16(1), fullBox('infe', 2, 0, u16(1, 0), Buffer.from('av01'), u8(0))),
    box('iprp', box('ipco', size, EIGHT_BITS, av1C, COLOURS), uses),
  )
}
