/** Draws of one viewer or one day, all from the same numbers. */
export interface Chances {
  /** From 0 to 1. */
  next(): number
  happens(chance: number): boolean
  between(from: number, to: number): number
  /** Around a middle, with a long tail upward. */
  skewed(middle: number, spread: number): number
  pick<T extends { weight: number }>(from: readonly T[]): T
}

export function chances(next: () => number): Chances {
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    happens: (chance) => next() < chance,
    between: (from, to) => from + next() * (to - from),
    skewed: (middle, spread) => middle * Math.exp(normal() * spread),
    pick(from) {
      let left = next() * from.reduce((sum, { weight }) => sum + weight, 0)
      for (const one of from) {
        left -= one.weight
        if (left <= 0) return one
      }
      return from.at(-1)!
    },
  }
}
