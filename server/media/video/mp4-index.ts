import { fstatSync, readSync } from 'node:fs'
import { find, inside, timescaleOf } from './boxes.ts'
import { ENCRYPTED } from './description.ts'
import { MediaProgramFailed, UnsupportedVideo } from './errors.ts'
import { mostPicturesIn, Pictures } from './pictures.ts'

/** The pictures of an MP4 as its own tables list them. */
export interface Mp4Index {
  pictures: Pictures
  /** With those that are empty. */
  listed: number
  timescale: number
}

const MAX_MOOV_BYTES = 256 * 2 ** 20
const MAX_TOP_BOXES = 10_000
export const TOO_MANY = 'it has more pictures than a file of its size can hold'

/**
 * Reads the tables at once, in a time that hardly grows with the file, where a program would read the whole
 * of it. Answers undefined wherever they say anything but the usual: then the program is to be asked, which
 * knows all the odd ways in which files are written. Throws UnsupportedVideo where they say what cannot be.
 */
export function readMp4Index(file: number): Mp4Index | undefined {
  try {
    const { size } = fstatSync(file)
    const moov = readMoov(file, size)
    return moov && indexOf(moov, size)
  } catch (error) {
    // A table that ends early, or boxes that do not fit into each other.
    if (error instanceof RangeError || error instanceof MediaProgramFailed) return undefined
    throw error
  }
}

function readMoov(file: number, size: number): Buffer | undefined {
  let moov: Buffer | undefined
  let at = 0
  for (let count = 0; at + 8 <= size; count++) {
    const header = Buffer.alloc(16)
    readSync(file, header, 0, 16, at)
    const type = header.toString('latin1', 4, 8)
    const short = header.readUInt32BE(0)
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? size - at : short
    const isOdd = length < 8 || (at === 0 && type !== 'ftyp') || (type === 'moov' && short < 8)
    if (isOdd || type === 'moof' || count > MAX_TOP_BOXES) return undefined
    if (type === 'moov') {
      if (moov || length > MAX_MOOV_BYTES || at + length > size) return undefined
      moov = Buffer.alloc(length)
      readSync(file, moov, 0, length, at)
    }
    at += length
  }
  return moov
}

function indexOf(moov: Buffer, fileSize: number): Mp4Index | undefined {
  const traks = [...inside(moov)].filter(({ type }) => type === 'trak').map(({ bytes }) => bytes)
  for (const one of traks) refuseImpossible(find(one, 'mdia/minf/stbl/stsz'), fileSize)
  const trak = traks.find((one) => find(one, 'mdia/hdlr')?.toString('latin1', 16, 20) === 'vide')
  const stbl = trak && find(trak, 'mdia/minf/stbl')
  if (!trak || !stbl || find(moov, 'mvex') || !isSelfContained(find(trak, 'mdia/minf/dinf/dref')))
    return undefined
  const tables = new Map([...inside(stbl)].map(({ type, bytes }) => [type, bytes]))
  // Some writers keep the name that the pictures had before they were encrypted; the keys' numbers give it away.
  if (['senc', 'saiz'].some((type) => tables.has(type))) throw new UnsupportedVideo(ENCRYPTED)
  if (['stps', 'sgpd', 'sbgp'].some((type) => tables.has(type))) return undefined
  if (tables.get('stsd')?.readUInt32BE(12) !== 1) return undefined

  const sizes = readSizes(tables.get('stsz'), fileSize)
  const times = sizes && readTimes(tables.get('stts'), sizes.length)
  const offsets = sizes && readOffsets(tables.get('ctts'), sizes.length)
  if (!sizes || !times || !offsets) return undefined
  if (!allThere(tables, sizes, fileSize)) return undefined
  const keys = readKeys(tables.get('stss'), sizes.length)
  const timescale = timescaleOf(find(trak, 'mdia/mdhd'))
  const begin = beginOf(find(trak, 'edts/elst'), {
    scales: [timescale, timescaleOf(find(moov, 'mvhd'))],
    first: offsets[0]!,
    last: latest(times, offsets),
  })
  if (begin === undefined || !timescale) return undefined
  const pictures = new Pictures(sizes.length)
  for (let i = 0; i < sizes.length; i++) {
    if (sizes[i] === 0) continue
    const dts = times[i]! - begin
    pictures.push({
      pts: dts + offsets[i]!,
      dts,
      duration: times[i + 1]! - times[i]!,
      size: sizes[i]!,
      key: keys?.[i] !== 0,
      discarded: false,
    })
  }
  return { pictures, listed: sizes.length, timescale }
}

/**
 * A table of one entry can list billions of samples of one size. Said before anything is set aside for
 * them, by this or by a program: they would have to be in the file.
 */
function refuseImpossible(stsz: Buffer | undefined, fileSize: number): void {
  if (!stsz || stsz.length < 20) return
  if (stsz.readUInt32BE(12) * stsz.readUInt32BE(16) > fileSize)
    throw new UnsupportedVideo('its index lists more than the file holds: it is damaged or cut off')
}

/** Whether all pictures are in this file; tables may refer to others. */
function isSelfContained(dref: Buffer | undefined): boolean {
  return (
    dref !== undefined &&
    [...inside(dref, 16)].every(({ bytes }) => (bytes.readUInt32BE(8) & IN_THIS_FILE) !== 0)
  )
}

function readSizes(stsz: Buffer | undefined, fileSize: number): Uint32Array | undefined {
  if (!stsz) return undefined
  const [all, count] = [stsz.readUInt32BE(12), stsz.readUInt32BE(16)]
  if (count === 0) return undefined
  if (all === 0 && 20 + 4 * count > stsz.length) return undefined
  if (count > mostPicturesIn(fileSize)) throw new UnsupportedVideo(TOO_MANY)
  const sizes = new Uint32Array(count)
  if (all > 0) return sizes.fill(all)
  for (let i = 0; i < count; i++) sizes[i] = stsz.readUInt32BE(20 + 4 * i)
  return sizes
}

const HUGE = 2 ** 31
/** A flag of what a `dref` lists. */
const IN_THIS_FILE = 1

/** When each is decoded, and when the last one ends. */
function readTimes(stts: Buffer | undefined, samples: number): Float64Array | undefined {
  if (!stts) return undefined
  const times = new Float64Array(samples + 1)
  let [at, time] = [0, 0]
  for (let i = 0; i < stts.readUInt32BE(12); i++) {
    const [count, delta] = [stts.readUInt32BE(16 + 8 * i), stts.readUInt32BE(20 + 8 * i)]
    if (at + count > samples || delta >= HUGE || delta === 0) return undefined
    for (let n = 0; n < count; n++) {
      times[at++] = time
      time += delta
    }
  }
  times[at] = time
  return at === samples ? times : undefined
}

/** How much later each is shown than decoded. */
function readOffsets(ctts: Buffer | undefined, samples: number): Float64Array | undefined {
  const offsets = new Float64Array(samples)
  if (!ctts) return offsets
  let at = 0
  for (let i = 0; i < ctts.readUInt32BE(12); i++) {
    const [count, offset] = [ctts.readUInt32BE(16 + 8 * i), ctts.readUInt32BE(20 + 8 * i)]
    // Negative ones move the times of decoding.
    if (at + count > samples || offset >= HUGE) return undefined
    offsets.fill(offset, at, at + count)
    at += count
  }
  return at === samples ? offsets : undefined
}

/** A 1 for every key picture; undefined where all are. */
function readKeys(stss: Buffer | undefined, samples: number): Uint8Array | undefined {
  if (!stss) return undefined
  const keys = new Uint8Array(samples)
  for (let i = 0; i < stss.readUInt32BE(12); i++) keys[stss.readUInt32BE(16 + 4 * i) - 1] = 1
  return keys
}

/** Whether the file goes on to the end of its last picture. */
function allThere(tables: Map<string, Buffer>, sizes: Uint32Array, fileSize: number): boolean {
  const [stsc, stco, co64] = ['stsc', 'stco', 'co64'].map((type) => tables.get(type))
  const table = stco ?? co64
  if (!stsc || !table) return false
  const entries = stsc.readUInt32BE(12)
  const chunks = table.readUInt32BE(12)
  let sample = 0
  let entry = 0
  for (let chunk = 0; chunk < chunks; chunk++) {
    while (entry + 1 < entries && stsc.readUInt32BE(16 + 12 * (entry + 1)) <= chunk + 1) entry++
    let end = stco ? stco.readUInt32BE(16 + 4 * chunk) : Number(table.readBigUInt64BE(16 + 8 * chunk))
    const count = stsc.readUInt32BE(20 + 12 * entry)
    if (count > sizes.length - sample) return false
    for (let i = 0; i < count; i++) end += sizes[sample++]!
    if (end > fileSize) return false
  }
  return sample === sizes.length
}

/** The time of the media at which it begins to be shown, where that is its first picture and all are shown. */
function beginOf(
  elst: Buffer | undefined,
  { scales, first, last }: { scales: [number, number]; first: number; last: number },
): number | undefined {
  if (!elst) return 0
  const isLong = elst[8] === 1
  if (elst.readUInt32BE(12) !== 1) return undefined
  const length = isLong ? Number(elst.readBigUInt64BE(16)) : elst.readUInt32BE(16)
  const begin = isLong ? Number(elst.readBigInt64BE(24)) : elst.readInt32BE(20)
  const rate = elst.readUInt32BE(isLong ? 32 : 24)
  const [timescale, movieScale] = scales
  if (rate !== 0x10000 || begin !== first || !movieScale) return undefined
  return Math.floor((length * timescale) / movieScale) + begin > last ? begin : undefined
}

function latest(times: Float64Array, offsets: Float64Array): number {
  let last = 0
  for (let i = 0; i < offsets.length; i++) last = Math.max(last, times[i]! + offsets[i]!)
  return last
}
