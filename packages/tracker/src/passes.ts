import type { Quality } from './events.ts'

/** How something is watched: where it changes, a new segment begins. */
export interface Manner {
  speed: number
  subtitle?: string | undefined
  audio?: string | undefined
  quality?: Quality | undefined
  chapter?: string | undefined
}

/** What is seen of a video at one moment. */
export interface Sample {
  /** Milliseconds on a clock that only goes forward. */
  at: number
  /** Seconds into the video. */
  position: number
  /** Plays, on a page that can be seen. */
  isWatched: boolean
  /** The position is where a seek leads to, and not where playing has come to. */
  isSeek: boolean
  manner: Manner
  /** Where a video that loops begins anew, which it does without a word. */
  loopsAt?: number
}

/** A part of the video that was passed once, without a jump; from `start` to `end`, in seconds. */
export interface Pass {
  start: number
  end: number
  manner: Manner
}

export interface Told {
  /** Passes that are over; those that the open one goes on from wait for it, so that one event has them all. */
  passes: Pass[]
  /** Seconds of watching that were not told before, also of a pass that still goes on. */
  seconds: number
}

export interface Passes {
  /** Answers whether it has come to its end and begun anew. */
  add(sample: Sample): boolean
  /** What is there to tell. With `isAll`, the pass that goes on is over: what comes next is a new one. */
  tell(isAll: boolean): Told
  /** Those that are not told. */
  readonly over: Pass[]
}

/** A pause moves the position by some frames, more on a busy machine; nobody seeks by so little. */
const SAME_PLACE = 0.25
/** What is beyond the time that has passed by more than this was jumped over, whether or not a seek was seen. */
const CLOCK_SLACK = 0.25
/** A video that has begun anew is seen no later than so many seconds into it. */
const NEAR_START = 1

/**
 * Adds samples up to passes. Only the movement of the position counts: a pause or a stall adds nothing and ends nothing,
 * so that a part that was watched once is one segment, whatever happened meanwhile.
 */
export function addUpPasses(): Passes {
  let last: Sample | undefined
  let open: Pass | undefined
  const over: Pass[] = []
  /** How many of them the open one does not go on from. */
  let apart = 0
  /** Seconds of watching that are not told. */
  let untold = 0

  function close(): void {
    if (open) over.push(open)
    open = undefined
  }

  return {
    add(sample) {
      const before = last
      last = sample
      if (!before?.isWatched) return false
      const { position, manner } = before
      const { loopsAt = 0 } = sample
      const isRound = loopsAt >= position && sample.position < Math.min(position, NEAR_START)
      const to = isRound ? loopsAt : sample.position
      const moved = to - position
      if (moved > ((sample.at - before.at) / 1000) * manner.speed + CLOCK_SLACK) return false
      if (!isRound && (sample.isSeek || moved <= 0)) return false
      untold += moved / manner.speed
      const isNext = open && Math.abs(open.end - position) < SAME_PLACE
      if (isNext && isSame(open!.manner, manner)) open!.end = to
      else {
        const start = isNext ? open!.end : position
        close()
        if (!isNext) apart = over.length
        open = { start, end: to, manner }
      }
      return isRound
    },
    tell(isAll) {
      if (isAll) close()
      const passes = over.splice(0, isAll ? over.length : apart)
      apart = 0
      const seconds = untold
      untold = 0
      return { passes, seconds }
    },
    over,
  }
}

function isSame(one: Manner, other: Manner): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
