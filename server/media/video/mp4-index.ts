import { type FileHandle, open } from 'node:fs/promises'
import { find, inside, timescaleOf } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'
import type { Packet } from './probe.ts'

/** More than anybody films. */
export const MAX_PICTURES = 5_000_000

/** The pictures of an MP4 as its own tables list them. */
export interface Mp4Index {
  packets: Packet[]
  /** With those that are empty. */
  listed: number
  timescale: number
}

const MAX_MOOV_BYTES = 256 * 2 ** 20
const MAX_TOP_BOXES = 10_000

/**
 * Reads the tables at once, in a time that hardly grows with the file, where a program would read the whole
 * of it. Answers undefined wherever they say anything but the usual: then the program is to be asked, which
 * knows all the odd ways in which files are written.
 */
export async function readMp4Index(path: string): Promise<Mp4Index | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const moov = await readMoov(file, size)
    return moov && indexOf(moov, size)
  } catch (error) {
    // A table that ends early, or boxes that do not fit into each other.
    if (error instanceof RangeError || error instanceof MediaProgramFailed) return undefined
    throw error
  } finally {
    await file.close()
  }
}

async function readMoov(file: FileHandle, size: number): Promise<Buffer | undefined> {
  let moov: Buffer | undefined
  let at = 0
  for (let count = 0; at + 8 <= size; count++) {
    const header = Buffer.alloc(16)
    await file.read(header, 0, 16, at)
    const type = header.toString('latin1', 4, 8)
    const short = header.readUInt32BE(0)
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? size - at : short
    const isOdd = length < 8 || (at === 0 && type !== 'ftyp') || (type === 'moov' && short < 8)
    if (isOdd || type === 'moof' || count > MAX_TOP_BOXES) return undefined
    if (type === 'moov') {
      if (moov || length > MAX_MOOV_BYTES || at + length > size) return undefined
      moov = Buffer.alloc(length)
      await file.read(moov, 0, length, at)
    }
    at += length
  }
  return moov
}

function indexOf(moov: Buffer, fileSize: number): Mp4Index | undefined {
  const traks = [...inside(moov)].filter(({ type }) => type === 'trak').map(({ bytes }) => bytes)
  const trak = traks.find((one) => find(one, 'mdia/hdlr')?.toString('latin1', 16, 20) === 'vide')
  const stbl = trak && find(trak, 'mdia/minf/stbl')
  if (!trak || !stbl || find(moov, 'mvex') || !isSelfContained(find(trak, 'mdia/minf/dinf/dref')))
    return undefined
  const tables = new Map([...inside(stbl)].map(({ type, bytes }) => [type, bytes]))
  if (['stps', 'sgpd', 'sbgp'].some((type) => tables.has(type))) return undefined
  if (tables.get('stsd')?.readUInt32BE(12) !== 1) return undefined

  const sizes = readSizes(tables.get('stsz'))
  const times = sizes && readTimes(tables.get('stts'), sizes.length)
  const offsets = sizes && readOffsets(tables.get('ctts'), sizes.length)
  if (!sizes || !times || !offsets) return undefined
  if (!allThere(tables, sizes, fileSize)) return undefined
  const keys = readKeys(tables.get('stss'))
  const timescale = timescaleOf(find(trak, 'mdia/mdhd'))
  const begin = beginOf(find(trak, 'edts/elst'), {
    scales: [timescale, timescaleOf(find(moov, 'mvhd'))],
    first: offsets[0]!,
    last: latest(times, offsets),
  })
  if (begin === undefined || !timescale) return undefined
  const packets = Array.from(sizes, (size, i) => ({
    pts: times[i]! + offsets[i]! - begin,
    dts: times[i]! - begin,
    duration: times[i + 1]! - times[i]!,
    size,
    key: keys === undefined || keys.has(i + 1),
    discarded: false,
  })).filter(({ size }) => size > 0)
  return { packets, listed: sizes.length, timescale }
}

/** Whether all pictures are in this file; tables may refer to others. */
function isSelfContained(dref: Buffer | undefined): boolean {
  return (
    dref !== undefined &&
    [...inside(dref, 16)].every(({ bytes }) => (bytes.readUInt32BE(8) & IN_THIS_FILE) !== 0)
  )
}

function readSizes(stsz: Buffer | undefined): Float64Array | undefined {
  if (!stsz) return undefined
  const [all, count] = [stsz.readUInt32BE(12), stsz.readUInt32BE(16)]
  if (count === 0 || count > MAX_PICTURES) return undefined
  return Float64Array.from({ length: count }, (_, i) => all || stsz.readUInt32BE(20 + 4 * i))
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

function readKeys(stss: Buffer | undefined): Set<number> | undefined {
  if (!stss) return undefined
  return new Set(Array.from({ length: stss.readUInt32BE(12) }, (_, i) => stss.readUInt32BE(16 + 4 * i)))
}

/** Whether the file goes on to the end of its last picture. */
function allThere(tables: Map<string, Buffer>, sizes: Float64Array, fileSize: number): boolean {
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
