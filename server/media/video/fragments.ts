import { box, find, fullBox, inside, u32 } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'

/** A coded picture or a block of sound, with the times of its track's clock. */
export interface Mp4Sample {
  data: Buffer
  sync: boolean
  /** When it is shown or heard. */
  time: number
}

const SYNC = 0x02000000
const NOT_SYNC = 0x01010000
const NON_SYNC_FLAG = 0x00010000
/** The most that a time fits in. */
const LONGEST = 2 ** 31 - 1

/** A sample as a `moof` lists it. */
interface ListedSample {
  /** Where its data begins in the `mdat` after the `moof`, counted with the header of that. */
  at: number
  size: number
  sync: boolean
  /** When it is decoded, and for how long until the next one is. */
  decoded: number
  duration: number
  /** How much later it is shown. */
  offset: number
}

/** The samples that a `moof` lists, in decoding order. */
export function* listSamples(moof: Buffer): Generator<ListedSample> {
  const traf = find(moof, 'traf')
  const tfhd = traf && find(traf, 'tfhd')
  const tfdt = traf && find(traf, 'tfdt')
  if (!traf || !tfhd || !tfdt) throw new MediaProgramFailed('a fragment without a track')
  const defaults = readDefaults(tfhd)
  let decoded = tfdt[8] === 1 ? Number(tfdt.readBigInt64BE(12)) : tfdt.readUInt32BE(12)
  let at = 8
  for (const { type, bytes: trun } of inside(traf)) {
    if (type !== 'trun') continue
    const flags = trun.readUInt32BE(8) & 0xffffff
    const count = trun.readUInt32BE(12)
    let field = 16
    const next = () => {
      field += 4
      return trun.readUInt32BE(field - 4)
    }
    if (flags & 0x1) at = next() - moof.length
    const firstFlags = flags & 0x4 ? next() : undefined
    for (let i = 0; i < count; i++) {
      const duration = flags & 0x100 ? next() : defaults.duration
      const size = flags & 0x200 ? next() : defaults.size
      const ownFlags = flags & 0x400 ? next() : defaults.flags
      const offset = flags & 0x800 ? next() | 0 : 0
      const sampleFlags = i === 0 && firstFlags !== undefined ? firstFlags : ownFlags
      yield { at, size, sync: (sampleFlags & NON_SYNC_FLAG) === 0, decoded, duration, offset }
      at += size
      decoded += duration
    }
  }
}

/** The samples of a fragment in decoding order, as they are in a `moof` and the `mdat` after it. */
export function readFragment(moof: Buffer, mdat: Buffer): Mp4Sample[] {
  return Array.from(listSamples(moof), ({ at, size, sync, decoded, offset }) => {
    if (at + size > mdat.length) throw new MediaProgramFailed('a sample beyond its data')
    return { data: mdat.subarray(at, at + size), sync, time: decoded + offset }
  })
}

function readDefaults(tfhd: Buffer) {
  const flags = tfhd.readUInt32BE(8) & 0xffffff
  let field = 16
  const next = (present: number, bytes = 4) => {
    if (!(flags & present)) return 0
    field += bytes
    return bytes === 4 ? tfhd.readUInt32BE(field - 4) : 0
  }
  next(0x1, 8)
  next(0x2)
  return { duration: next(0x8), size: next(0x10), flags: next(0x20) }
}

/** When each picture of a segment is shown. */
export function showTimes(segment: Buffer): number[] {
  const [moof, mdat] = inside(segment, 0)
  return readFragment(moof!.bytes, mdat!.bytes)
    .map((sample) => sample.time)
    .sort((a, b) => a - b)
}

/** A segment: one fragment whose samples fill `[start, end)`, so that segments follow each other without gap. */
export function writeSegment(
  samples: Mp4Sample[],
  { start, end, number }: { start: number; end: number; number: number },
): Buffer {
  const decoded = decodeTimes(samples, start)
  const run = Buffer.alloc(16 * samples.length)
  samples.forEach(({ data, sync, time }, i) => {
    const duration = (decoded[i + 1] ?? end) - decoded[i]!
    const offset = time - decoded[i]!
    if (Math.min(duration, offset) < 0 || Math.max(duration, offset) > LONGEST)
      throw new MediaProgramFailed('a sample far from its time')
    run.writeUInt32BE(duration, 16 * i)
    run.writeUInt32BE(data.length, 16 * i + 4)
    run.writeUInt32BE(sync ? SYNC : NOT_SYNC, 16 * i + 8)
    run.writeInt32BE(offset, 16 * i + 12)
  })
  const decodeTime = Buffer.alloc(8)
  decodeTime.writeBigUInt64BE(BigInt(start))
  const moof = (dataOffset: number) =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, u32(number + 1)),
      box(
        'traf',
        fullBox('tfhd', 0, 0x020000, u32(1)),
        fullBox('tfdt', 1, 0, decodeTime),
        fullBox('trun', 1, 0xf01, u32(samples.length, dataOffset), run),
      ),
    )
  const size = moof(0).length
  return Buffer.concat([moof(size + 8), box('mdat', ...samples.map((sample) => sample.data))])
}

/**
 * When samples are decoded, in whatever order they are shown: the first as the segment begins, each of the
 * others after the one before it and not after it is shown itself. So none has to be shown before it is
 * decoded, and none is shown later than it should be, which an edit list would have to take back and some
 * players do not read.
 */
function decodeTimes(samples: Mp4Sample[], start: number): number[] {
  const shown = samples.map((sample) => sample.time).sort((a, b) => a - b)
  const latest = new Array<number>(samples.length)
  let bound = Number.POSITIVE_INFINITY
  for (let i = samples.length - 1; i >= 0; i--) {
    bound = Math.min(bound, samples[i]!.time, shown[i]!)
    latest[i] = bound
  }
  const times = [start]
  for (let i = 1; i < samples.length; ) {
    // Those that have to be decoded by the same time share out the time until then.
    let next = i
    while (next < samples.length && latest[next] === latest[i]) next++
    const from = times[i - 1]!
    for (let j = i; j < next; j++)
      times.push(from + Math.round(((latest[i]! - from) * (j - i + 1)) / (next - i)))
    i = next
  }
  return times
}
