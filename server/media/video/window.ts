import type { Probe, Rational } from './description.ts'

/** A part of a file, in seconds of its own clock. */
export interface ClipWindow {
  start: number
  end: number
}

/** By how much a time may be beside that of the picture that is meant: people and containers round to milliseconds. */
const GRACE = 0.002

/** Leaves of a file's pictures those from the one that is on as a window begins to the last that begins within it. */
export function cutTo({ start, end }: ClipWindow, { pictures, video }: Probe): void {
  const seconds = (pts: number) => (pts * video.timeBase.num) / video.timeBase.den
  let first = Number.NEGATIVE_INFINITY
  for (let i = 0; i < pictures.length; i++)
    if (!pictures.isDiscarded(i) && seconds(pictures.pts[i]!) <= start + GRACE)
      first = Math.max(first, pictures.pts[i]!)
  const until = untilOf({ start, end }, video.timeBase)
  for (let i = 0; i < pictures.length; i++)
    if (pictures.pts[i]! < first || pictures.pts[i]! >= until) pictures.discard(i)
}

/** The time in a stream's clock from which on nothing is in the window. */
export function untilOf({ end }: ClipWindow, { num, den }: Rational): number {
  return Math.ceil(((end - GRACE) * den) / num)
}
