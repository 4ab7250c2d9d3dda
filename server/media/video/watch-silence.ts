/** What a program was seen to do since it was last looked at. */
export interface Glimpse {
  elapsedSeconds: number
  /** Whether something was read of it, or waits to be read: then it is the reader who is slow. */
  isHeard: boolean
  /** Of all its processes, since it was started. */
  cpuSeconds: number
  /** Whether any of its threads has work and waits for a processor or a disk. */
  isHeldUp: boolean
}

export interface SilenceLimits {
  silenceSeconds: number
  cpuSeconds: number
}

/** Looked at less often than that, the watcher was held up itself, or the machine was asleep. */
const LONGEST_GLIMPSE = 1

/**
 * Tells why a program is to be ended, if it is. One is hung that writes nothing, computes nothing and waits for
 * nothing but itself. On a busy machine, one of low priority may write nothing for minutes and be as well as ever:
 * such time does not count, however long it takes. All that it computes, silently or not, is bounded.
 */
export function silenceWatch({ silenceSeconds, cpuSeconds: cpuLimit }: SilenceLimits) {
  let idle = 0
  let used = 0
  return ({ elapsedSeconds, isHeard, cpuSeconds, isHeldUp }: Glimpse): string | undefined => {
    const isAtWork = cpuSeconds > used || isHeldUp
    used = cpuSeconds
    if (isHeard) idle = 0
    else if (!isAtWork) idle += Math.min(elapsedSeconds, LONGEST_GLIMPSE)
    if (cpuSeconds > cpuLimit) return `more than ${cpuLimit} s of processor time`
    if (idle > silenceSeconds) return `no output and no work for ${silenceSeconds} s`
    return undefined
  }
}
