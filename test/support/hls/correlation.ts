/** How alike two pieces of sound are at each shift of the second, from −1 to 1. */
export interface Likeness {
  /** By how many samples the second is late. */
  lag: number
  likeness: number
}

/**
 * Looks for a window of one sound in the other, up to `reach` samples away, and answers the best place
 * and the best of those within `near`. Sharpness weakens the bass, which is found everywhere; but what an
 * encoder leaves out is treble.
 */
export function findWindow(
  one: Int16Array,
  other: Int16Array,
  {
    from,
    length,
    reach,
    near,
    sharpness,
  }: Record<'from' | 'length' | 'reach' | 'near' | 'sharpness', number>,
): { best: Likeness; closest: Likeness } {
  const wanted = sharpened(one, from, length, sharpness)
  const closest = search(wanted, sharpened(other, from - near, length + 2 * near, sharpness), near)
  // Nothing farther away could be so much more alike that it would matter.
  if (reach <= near || closest.likeness > ALIKE) return { best: closest, closest }
  const best = search(wanted, sharpened(other, from - reach, length + 2 * reach, sharpness), reach)
  return { best, closest }
}

const ALIKE = 0.98

/** The best place for a sound in another one that begins `reach` samples before it and ends as much after it. */
function search(wanted: Float64Array, searched: Float64Array, reach: number): Likeness {
  const { length } = wanted
  const energy = sumOfSquares(wanted)
  let around = sumOfSquares(searched.subarray(0, length))
  const best: Likeness = { lag: 0, likeness: -1 }
  for (let shift = 0; shift <= 2 * reach; shift++) {
    let product = 0
    for (let i = 0; i < length; i++) product += wanted[i]! * searched[shift + i]!
    const likeness = around > 0 && energy > 0 ? product / Math.sqrt(around * energy) : 0
    if (likeness > best.likeness) Object.assign(best, { lag: shift - reach, likeness })
    around += (searched[shift + length] ?? 0) ** 2 - searched[shift]! ** 2
  }
  return best
}

function sharpened(sound: Int16Array, from: number, length: number, sharpness: number): Float64Array {
  const at = (i: number) => sound[from + i] ?? 0
  return Float64Array.from({ length }, (_, i) => at(i) - sharpness * at(i - 1))
}

const sumOfSquares = (numbers: Float64Array) => numbers.reduce((sum, one) => sum + one * one, 0)

export function loudness(sound: Int16Array, from: number, length: number): number {
  let sum = 0
  for (let i = from; i < from + length; i++) sum += (sound[i] ?? 0) ** 2
  return Math.sqrt(sum / length)
}
