import { box, find, fullBox, inside, timescaleOf, u8, u16, u32 } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'
import { MAX_U32, type SampleTables } from './sample-tables.ts'

/** A track of an MP4 that is put together from segments. */
export interface ProgressiveTrack {
  kind: 'video' | 'audio' | 'pictures'
  /** Its initialisation segment. */
  init: Buffer
  tables: SampleTables
  /** The bytes of the samples of each segment. */
  bytes: number[]
  /** By BCP 47. */
  language?: string
  /** How its samples are described, where that is not as its initialisation segment has it. */
  stsd?: Buffer
}

const HANDLERS = { video: 'vide', audio: 'soun', pictures: 'pict' }

const FILE_TYPE = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2avc1mp41'))
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
/** Of times that are about the file and not about a track. */
const MOVIE_CLOCK = 1000
const MAX_HEAD_BYTES = 2 ** 28
/** Language `und`. */
const NO_LANGUAGE = 0x55c4

/**
 * What comes before the samples in an MP4 that plays while it is read: behind it come those of the first segment of each
 * track, then those of the second, and so on.
 */
export function progressiveHead(tracks: ProgressiveTrack[]): Buffer {
  const total = tracks.flatMap(({ bytes }) => bytes).reduce((sum, bytes) => sum + bytes, 0)
  const mdat = dataHeader(total)
  // Places take as many bytes wherever they are, so what tells them is as long before they are known.
  const far = total > MAX_U32 - MAX_HEAD_BYTES
  const draft = movie(tracks, placesOf(tracks, 0), far)
  const begin = FILE_TYPE.length + draft.length + mdat.length
  return Buffer.concat([FILE_TYPE, movie(tracks, placesOf(tracks, begin), far), mdat])
}

/** What comes right before the samples. */
export function dataHeader(bytes: number): Buffer {
  if (bytes + 8 <= MAX_U32) return Buffer.concat([u32(bytes + 8), Buffer.from('mdat')])
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(bytes + 16))
  return Buffer.concat([u32(1), Buffer.from('mdat'), length])
}

/** Where the samples of each segment begin, for each track, from the place on where the first do. */
export function placesOf(tracks: ProgressiveTrack[], begin: number): number[][] {
  const places: number[][] = tracks.map(() => [])
  let at = begin
  for (let number = 0; number < tracks[0]!.bytes.length; number++)
    tracks.forEach(({ bytes }, i) => {
      places[i]!.push(at)
      at += bytes[number]!
    })
  return places
}

/** What tells of all tracks and their samples. */
export function movie(tracks: ProgressiveTrack[], places: number[][], far: boolean): Buffer {
  const parts = tracks.map((track, i) => trackOf(track, i + 1, places[i]!, far))
  const duration = Math.max(...parts.map(({ seconds }) => seconds))
  const head = fullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, MOVIE_CLOCK, inMovieClock(duration), 0x10000),
    u16(0x0100, 0),
    u32(0, 0),
    MATRIX,
    u32(0, 0, 0, 0, 0, 0, tracks.length + 1),
  )
  return box('moov', head, ...parts.map(({ trak }) => trak))
}

const inMovieClock = (seconds: number) => Math.round(seconds * MOVIE_CLOCK)

function trackOf(
  { kind, init, tables, language, stsd: ownStsd }: ProgressiveTrack,
  id: number,
  places: number[],
  far: boolean,
) {
  const isAudio = kind === 'audio'
  const moov = moovOf(init)
  const stsd = ownStsd ?? (moov && find(moov, 'trak/mdia/minf/stbl/stsd'))
  const tkhd = moov && find(moov, 'trak/tkhd')
  const timescale = timescaleOf(moov && find(moov, 'trak/mdia/mdhd'))
  if (!stsd || !tkhd || !timescale) throw new MediaProgramFailed('a segment that was not written here')
  const seconds = tables.duration / timescale
  const track = fullBox(
    'tkhd',
    0,
    3,
    u32(0, 0, id, 0, inMovieClock(seconds), 0, 0),
    u16(0, 0, isAudio ? 0x0100 : 0, 0),
    MATRIX,
    // Width and height are the last that it has.
    tkhd.subarray(tkhd.length - 8),
  )
  const media = box(
    'mdia',
    mediaHeader(timescale, tables.duration),
    fullBox('hdlr', 0, 0, u32(0), Buffer.from(HANDLERS[kind]), u32(0, 0, 0), u8(0)),
    ...(language ? [fullBox('elng', 0, 0, Buffer.from(`${language}\0`))] : []),
    box(
      'minf',
      isAudio ? fullBox('smhd', 0, 0, u32(0)) : fullBox('vmhd', 0, 1, u32(0, 0)),
      box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
      tables.boxes(stsd, places, far),
    ),
  )
  return { trak: box('trak', track, media), seconds }
}

export function moovOf(init: Buffer): Buffer | undefined {
  return [...inside(init, 0)].find(({ type }) => type === 'moov')?.bytes
}

function mediaHeader(timescale: number, duration: number): Buffer {
  if (duration <= MAX_U32) return fullBox('mdhd', 0, 0, u32(0, 0, timescale, duration), u16(NO_LANGUAGE, 0))
  const long = Buffer.alloc(8)
  long.writeBigUInt64BE(BigInt(duration))
  return fullBox('mdhd', 1, 0, u32(0, 0, 0, 0, timescale), long, u16(NO_LANGUAGE, 0))
}
