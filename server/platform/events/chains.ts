/** Of one viewer: what happened when, in order, and which steps of a funnel each of it matches. */
export interface Trail {
  /** When, in any unit, never falling. */
  times: ArrayLike<number>
  /** A bit for each step, the lowest for the first. */
  matches: ArrayLike<number>
  /** How many of the two count, where it is not all. */
  length?: number
}

export interface Chain {
  /** How many steps it gets through. */
  depth: number
  /** From the first step to the last, where it gets through all of them. */
  took: number | undefined
}

/**
 * The chain that gets furthest, and of several the one that starts first. A chain begins with a match of
 * the first step and takes, for each further step, the next match of it, no later than `window` after the
 * first. An event serves one step of a chain.
 */
export function furthestChain(trail: Trail, steps: number, window: number): Chain {
  const depth = furthestDepth(trail, steps, window)
  return { depth, took: depth === steps ? firstThrough(trail, steps, window) : undefined }
}

/** One for all trails, as many as there can be steps: making one for each would cost more than going along it. */
const scratch = new Float64Array(32)

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

/** Going backward: at each match of a step, when the chain from there on is through. */
function firstThrough(
  { times, matches, length = times.length }: Trail,
  steps: number,
  window: number,
): number | undefined {
  const through = scratch.fill(Number.NaN)
  let took: number | undefined
  for (let i = length - 1; i >= 0; i--) {
    const time = times[i]!
    for (let step = 0; step < steps; step++) {
      if (!(matches[i]! & (1 << step))) continue
      const end = step === steps - 1 ? time : through[step + 1]!
      through[step] = end
      if (step === 0 && end - time <= window) took = end - time
    }
  }
  return took
}
