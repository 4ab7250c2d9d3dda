/** A part of a whole, from 0 to 1; of nothing it is 0. */
export function fraction(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(part / whole, 1)
}

/** Microseconds as milliseconds. */
export function milliseconds(micros: number | bigint): number {
  return Number(micros) / 1000
}
