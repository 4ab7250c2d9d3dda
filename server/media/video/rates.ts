import { CLOCK } from './timeline.ts'

/** Bits a second, at the most and on average. */
export interface Rates {
  peak: number
  average: number
}

/**
 * The rates of a rendition as RFC 8216 counts them: the peak is the highest of any neighbouring segments
 * that together last between half and one and a half of the target duration.
 */
export function ratesOf(edges: number[], bytes: number[]): Rates {
  const seconds = bytes.map((_, i) => (edges[i + 1]! - edges[i]!) / CLOCK)
  const target = Math.max(1, ...seconds.map(Math.round))
  let peak = 0
  for (let i = 0; i < bytes.length; i++) {
    let length = 0
    let size = 0
    for (let j = i; j < bytes.length; j++) {
      length += seconds[j]!
      size += bytes[j]!
      if (length > 1.5 * target) break
      if (length >= 0.5 * target) peak = Math.max(peak, (size * 8) / length)
    }
  }
  const total = bytes.reduce((sum, size) => sum + size, 0)
  const average = (total * 8) / Math.max(edges.at(-1)! / CLOCK, 0.001)
  return { peak: Math.ceil(Math.max(peak, average)), average: Math.ceil(average) }
}
