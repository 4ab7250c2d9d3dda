/** At most `quota` takes in a window of `seconds` that opens with the first of them; a refusal opens none. */
export interface Bucket {
  /** Whose window it is, the name of the limit included. */
  key: string
  quota: number
  seconds: number
}

export interface BucketState {
  /** Takes left in the running window, this one counted. */
  remaining: number
  /** Seconds until the window closes, rounded up. */
  resetSeconds: number
}

export interface Taken {
  /** False when at least one bucket was empty; then nothing was taken from any of them. */
  allowed: boolean
  /** In the order of the buckets asked for. */
  states: BucketState[]
}

/** Counts requests against windows. Every adapter passes test/platform/limits.contract.ts. */
export interface Limiter {
  /** Takes one from all buckets, or none from any. */
  take(buckets: readonly Bucket[]): Promise<Taken> | Taken
  /** Throws when the store behind it cannot be reached. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds since any moment; a test passes one of its own. */
export type Clock = () => number
