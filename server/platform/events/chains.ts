import type { FunnelCounts } from './port.ts'

/** Of one viewer: what happened when, in order, and which steps of a funnel each of it matches. */
export interface Trail {
  /** When, in any unit, never falling. */
  times: ArrayLike<number>
  /** A bit for each step, the lowest for the first. */
  matches: ArrayLike<number>
  /** How many of the two count, where it is not all. */
  length?: number
}

interface Chain {
  /** How many steps it gets through. */
  depth: number
  /** When it got to each of them. The next chain is written over it. */
  at: ArrayLike<number>
}

/** More than a number can hold exactly; a sum below it and a time, together, are still exact. */
const MANY = 2 ** 52

/** Adds up the chains of viewers, whose times are microseconds. */
export function countChains(steps: number, window = Number.POSITIVE_INFINITY) {
  const ended = new Array<number>(steps + 1).fill(0)
  const gaps = new Array<bigint>(steps).fill(0n)
  /** What is not in `gaps` yet: large numbers are slow. */
  const recent = new Float64Array(steps)
  let took = 0n

  const settle = (step: number) => {
    gaps[step]! += BigInt(recent[step]!)
    recent[step] = 0
  }
  function add(trail: Trail): void {
    const { depth, at } = furthestChain(trail, steps, window)
    ended[depth]!++
    for (let step = 1; step < depth; step++) {
      recent[step]! += at[step]! - at[step - 1]!
      if (recent[step]! > MANY) settle(step)
    }
    if (depth === steps) took += BigInt(at[steps - 1]! - at[0]!)
  }
  function counts(): FunnelCounts {
    for (let step = 1; step < steps; step++) settle(step)
    const reached = gaps.map((_, step) => ended.slice(step + 1).reduce((sum, count) => sum + count, 0))
    return { reached, took, gaps }
  }
  return { add, counts }
}

/**
 * The chain that gets furthest, and of several the one that starts first. A chain begins with a match of
 * the first step and takes, for each further step, the next match of it, no later than `window` after the
 * first. An event serves one step of a chain.
 */
export function furthestChain(trail: Trail, steps: number, window: number): Chain {
  const depth = furthestDepth(trail, steps, window)
  const at = scratchOfTimes
  if (depth > 0) goAlong(trail, depth, firstStart(trail, depth, window), at)
  return { depth, at }
}

/** One for all trails, as many as there can be steps: making one for each would cost more than going along it. */
const scratch = new Float64Array(32)
const scratchOfTimes = new Float64Array(32)

/** Going forward: of all that got to a step, the one that started last has the most time left. */
function furthestDepth(
  { times, matches, length = times.length }: Trail,
  steps: number,
  window: number,
): number {
  const latestStart = scratch.fill(Number.NaN)
  let depth = 0
  for (let i = 0; i < length; i++) {
    const time = times[i]!
    // From the last step to the first: what this event adds to a step it cannot use for the next.
    for (let step = steps - 1; step > 0; step--) {
      if (!(matches[i]! & (1 << step))) continue
      const start = latestStart[step - 1]!
      if (!(time - start <= window)) continue
      latestStart[step] = start
      if (step >= depth) depth = step + 1
    }
    if (matches[i]! & 1) {
      latestStart[0] = time
      if (depth === 0) depth = 1
    }
  }
  return depth
}

/** Going backward: at each match of a step, when the chain from there on gets to the last of them. */
function firstStart({ times, matches, length = times.length }: Trail, steps: number, window: number): number {
  const through = scratch.fill(Number.NaN)
  let start = length
  for (let i = length - 1; i >= 0; i--) {
    const time = times[i]!
    for (let step = 0; step < steps; step++) {
      if (!(matches[i]! & (1 << step))) continue
      const end = step === steps - 1 ? time : through[step + 1]!
      through[step] = end
      if (step === 0 && end - time <= window) start = i
    }
  }
  return start
}

/** Notes when the chain that begins there gets to each step. */
function goAlong({ times, matches }: Trail, steps: number, start: number, at: Float64Array): void {
  for (let [i, step] = [start, 0]; step < steps; i++) {
    if (matches[i]! & (1 << step)) at[step++] = times[i]!
  }
}
