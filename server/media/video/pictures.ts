/** A coded picture as its container lists it, in the order of decoding; times in the stream's clock. */
export interface Packet {
  pts: number
  dts: number
  duration: number
  size: number
  key: boolean
  /** Decoded, but cut away by the container's edit list. */
  discarded: boolean
}

/** More than anybody films: a day of almost 60 a second. */
export const MAX_PICTURES = 5_000_000

/** On average, over a whole film; a picture that repeats the one before it takes about a dozen. */
const LEAST_BYTES_OF_A_PICTURE = 8
/** A few may be smaller than any average. */
const FEW = 1000

/** How many pictures a file of so many bytes can hold at the most. */
export function mostPicturesIn(fileBytes: number): number {
  return Math.min(MAX_PICTURES, FEW + Math.floor(fileBytes / LEAST_BYTES_OF_A_PICTURE))
}

const KEY = 1
const DISCARDED = 2

/**
 * The pictures of a film in columns, in the order of decoding. As an object each, millions of them would take
 * gigabytes; so they take 29 bytes each.
 */
export class Pictures {
  length = 0
  pts: Float64Array<ArrayBuffer>
  dts: Float64Array<ArrayBuffer>
  duration: Float64Array<ArrayBuffer>
  size: Uint32Array<ArrayBuffer>
  #flags: Uint8Array<ArrayBuffer>

  constructor(capacity = 4096) {
    this.pts = new Float64Array(capacity)
    this.dts = new Float64Array(capacity)
    this.duration = new Float64Array(capacity)
    this.size = new Uint32Array(capacity)
    this.#flags = new Uint8Array(capacity)
  }

  push({ pts, dts, duration, size, key, discarded }: Packet): void {
    if (this.length === this.pts.length) this.#grow()
    const i = this.length++
    this.pts[i] = pts
    this.dts[i] = dts
    this.duration[i] = duration
    this.size[i] = size
    this.#flags[i] = (key ? KEY : 0) | (discarded ? DISCARDED : 0)
  }

  isKey(i: number): boolean {
    return (this.#flags[i]! & KEY) !== 0
  }

  isDiscarded(i: number): boolean {
    return (this.#flags[i]! & DISCARDED) !== 0
  }

  /** It is decoded and not shown. */
  discard(i: number): void {
    this.#flags[i]! |= DISCARDED
  }

  #grow(): void {
    const capacity = Math.ceil(this.pts.length * 1.5)
    const larger = <T extends Float64Array | Uint32Array | Uint8Array>(column: T, wider: T): T => {
      wider.set(column)
      return wider
    }
    this.pts = larger(this.pts, new Float64Array(capacity))
    this.dts = larger(this.dts, new Float64Array(capacity))
    this.duration = larger(this.duration, new Float64Array(capacity))
    this.size = larger(this.size, new Uint32Array(capacity))
    this.#flags = larger(this.#flags, new Uint8Array(capacity))
  }
}
