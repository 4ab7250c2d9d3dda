import { box, find, fullBox, inside, u32 } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'

/** A coded picture or a block of sound, with the times of its track's clock. */
export interface Sample {
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

/** The samples of a fragment in decoding order, as they are in a `moof` and the `mdat` after it. */
export function readFragment(moof: Buffer, mdat: Buffer): Sample[] {
  const traf = find(moof, 'traf')
  const tfhd = traf && find(traf, 'tfhd')
  const tfdt = traf && find(traf, 'tfdt')
  if (!traf || !tfhd || !tfdt) throw new MediaProgramFailed('a fragment without a track')
  const defaults = readDefaults(tfhd)
  let decodeTime = tfdt[8] === 1 ? Number(tfdt.readBigInt64BE(12)) : tfdt.readUInt32BE(12)
  const samples: Sample[] = []
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
      if (at + size > mdat.length) throw new MediaProgramFailed('a sample beyond its data')
      const sampleFlags = i === 0 && firstFlags !== undefined ? firstFlags : ownFlags
      samples.push({
        data: mdat.subarray(at, at + size),
        sync: (sampleFlags & NON_SYNC_FLAG) === 0,
        time: decodeTime + offset,
      })
      at += size
      decodeTime += duration
    }
  }
  return samples
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

/** When each picture of a segment is shown, on the presentation's clock. */
export function showTimes(segment: Buffer, delay: number): number[] {
  const [moof, mdat] = inside(segment, 0)
  return readFragment(moof!.bytes, mdat!.bytes)
    .map((sample) => sample.time - delay)
    .sort((a, b) => a - b)
}

/**
 * A segment: one fragment whose samples fill `[start, end)`. Each is decoded at the time at which one is
 * shown, in order, so that segments follow each other without gap whatever the order of decoding.
 * `delay` is how much later than that it is shown by the track's own clock; the track's edit list takes it
 * away again, and no sample has to be shown before it is decoded.
 */
export function writeSegment(
  samples: Sample[],
  { start, end, number, delay }: { start: number; end: number; number: number; delay: number },
): Buffer {
  const decoded = decodeTimes(samples, start, delay)
  const run = Buffer.alloc(16 * samples.length)
  samples.forEach(({ data, sync, time }, i) => {
    const duration = (decoded[i + 1] ?? end) - decoded[i]!
    const offset = time + delay - decoded[i]!
    if (duration < 0 || Math.max(duration, Math.abs(offset)) > LONGEST)
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

function decodeTimes(samples: Sample[], start: number, delay: number): number[] {
  const times = samples.map((sample) => sample.time).sort((a, b) => a - b)
  let latest = Number.POSITIVE_INFINITY
  for (let i = samples.length - 1; i > 0; i--) {
    // Times far apart may need more delay than the track has; then decoding goes ahead of showing.
    latest = Math.min(times[i]!, samples[i]!.time + delay, latest - 1)
    times[i] = latest
  }
  times[0] = start
  return times
}
