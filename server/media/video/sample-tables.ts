import { box, fullBox, u32 } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'
import { listSamples } from './fragments.ts'

/** How often a value comes after itself, as the tables of an MP4 have it. */
class Runs {
  readonly counts: number[] = []
  readonly values: number[] = []

  add(value: number): void {
    const last = this.values.length - 1
    if (this.values[last] === value) this.counts[last]!++
    else {
      this.counts.push(1)
      this.values.push(value)
    }
  }

  /** Pairs of count and value, behind their number. */
  table(): Buffer {
    return numbered(
      this.counts.flatMap((count, i) => [count, this.values[i]!]),
      this.counts.length,
    )
  }
}

/**
 * The samples of a track in the tables of an MP4 that is read from its beginning, gathered segment by segment. Each
 * segment is a chunk of it: its samples lie behind each other as they do in the segment.
 */
export class SampleTables {
  readonly #sizes: number[] = []
  readonly #durations = new Runs()
  readonly #offsets = new Runs()
  readonly #keys: number[] = []
  /** How many samples each segment has. */
  readonly #samples: number[] = []
  /** In ticks of the track's own clock. */
  duration = 0

  /** The bytes of the first sample; 0 where there is none. */
  get firstSize(): number {
    return this.#sizes[0] ?? 0
  }

  /** Adds the next segment, and answers how many bytes its samples have. */
  add(moof: Buffer): number {
    let bytes = 0
    const before = this.#sizes.length
    for (const { at, size, sync, duration, offset } of listSamples(moof)) {
      if (at !== bytes + HEADER || offset < 0)
        throw new MediaProgramFailed('a segment that was not written here')
      bytes += size
      this.#sizes.push(size)
      this.#durations.add(duration)
      this.#offsets.add(offset)
      if (sync) this.#keys.push(this.#sizes.length)
      this.duration += duration
    }
    this.#samples.push(this.#sizes.length - before)
    return bytes
  }

  /** The tables, with the place in the file at which each segment's samples begin; far ones take twice the bytes. */
  boxes(stsd: Buffer, places: number[], far: boolean): Buffer {
    const isInOrder = this.#offsets.values.every((offset) => offset === 0)
    const allKeys = this.#keys.length === this.#sizes.length
    return box(
      'stbl',
      stsd,
      fullBox('stts', 0, 0, this.#durations.table()),
      ...(isInOrder ? [] : [fullBox('ctts', 0, 0, this.#offsets.table())]),
      ...(allKeys ? [] : [fullBox('stss', 0, 0, numbered(this.#keys))]),
      fullBox('stsc', 0, 0, this.#chunks()),
      fullBox('stsz', 0, 0, u32(0), numbered(this.#sizes)),
      far ? fullBox('co64', 0, 0, farPlaces(places)) : fullBox('stco', 0, 0, numbered(places)),
    )
  }

  /** From which chunk on chunks have how many samples, which are all described the same way. */
  #chunks(): Buffer {
    const entries = this.#samples.flatMap((count, i) =>
      count === this.#samples[i - 1] ? [] : [i + 1, count, 1],
    )
    return numbered(entries, entries.length / 3)
  }
}

const HEADER = 8
export const MAX_U32 = 2 ** 32 - 1

/** Numbers behind their count. Not handed over as arguments: there may be millions. */
function numbered(values: number[], count = values.length): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 4 * values.length)
  bytes.writeUInt32BE(count, 0)
  for (let i = 0; i < values.length; i++) bytes.writeUInt32BE(values[i]!, 4 + 4 * i)
  return bytes
}

function farPlaces(places: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 8 * places.length)
  bytes.writeUInt32BE(places.length, 0)
  places.forEach((place, i) => {
    bytes.writeBigUInt64BE(BigInt(place), 4 + 8 * i)
  })
  return bytes
}
