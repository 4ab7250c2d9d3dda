import type { Probe, Rational } from './description.ts'
import { UnsupportedVideo } from './errors.ts'
import type { Pictures } from './pictures.ts'
import type { ClipWindow } from './window.ts'

/** Ticks a second of every time in a plan; all common frame rates are whole numbers of them. */
export const CLOCK = 90_000

/** A stretch of the presentation; all renditions are cut at the same places. */
export interface Segment {
  /** In ticks of the clock; the next one's start is its end. */
  start: number
  /** The first picture of it, in the source's own clock. */
  from: number
  /** Where to begin reading, in microseconds of the source's clock; undefined at the very beginning. */
  seek: number | undefined
  /** No picture begins in it: the last one before it, which is at `from`, stays on. */
  held: boolean
}

export interface Timeline {
  segments: Segment[]
  end: number
  /** Whether every segment begins with a picture from which a copy can be played. */
  copyable: boolean
}

export const SEGMENT_SECONDS = 4
const SEGMENT = SEGMENT_SECONDS * CLOCK
/** The first is what a viewer waits for: half as long, it is there almost twice as soon. */
const FIRST_SEGMENT = 2 * CLOCK
const LONGEST_COPIED = 10 * CLOCK
const LONGEST_HELD = 10 * CLOCK
const MAX_SECONDS = 24 * 3600

/**
 * Cuts a video into segments of about four seconds, after a shorter first one: at its own key pictures where a copy is wanted and
 * they allow it, at any picture otherwise.
 */
export function timelineOf(probe: Probe, wantCopy: boolean, window?: ClipWindow): Timeline {
  const { pictures, video, audio } = probe
  const { timeBase } = video
  const shown = shownTimes(pictures)
  if (shown.length === 0) throw new UnsupportedVideo('none of its pictures is shown')
  const [zero, last] = [shown[0]!, shown.at(-1)!]
  const toClock = (pts: number) => ticks(pts - zero, timeBase)
  const gap = shown.length > 1 ? toClock(last) - toClock(shown.at(-2)!) : CLOCK / 25
  const lastDuration = ticks(durationAt(pictures, last), timeBase) || gap
  const videoEnd = toClock(last) + Math.max(1, Math.min(lastDuration, LONGEST_HELD))
  const audioEnds = audio.map((one) => (one.end ?? 0) * CLOCK - ticks(zero, timeBase))
  const whole = Math.round(Math.max(videoEnd, ...audioEnds))
  const cut = window ? Math.round(window.end * CLOCK) - ticks(zero, timeBase) : whole
  const end = Math.min(whole, Math.max(cut, toClock(last) + 1))
  // Before it is cut: a file of two pictures can claim that centuries are between them.
  if (!(end <= MAX_SECONDS * CLOCK))
    throw new UnsupportedVideo(`it is longer than ${MAX_SECONDS / 3600} hours`)

  const keys = wantCopy ? cleanKeys(pictures) : undefined
  const keyCuts = keys && cutAtKeys(keys, toClock, end)
  const cuts = keyCuts ?? cutAnywhere(shown, toClock)
  const seekOf = seeker(probe)
  const segments = cuts.flatMap((pts, i) => {
    const until = i + 1 < cuts.length ? toClock(cuts[i + 1]!) : end
    return withHeld({ start: toClock(pts), from: pts, seek: seekOf(pts), held: false }, until, (time) => {
      const before = lastBefore(shown, time, toClock)
      return { from: before, seek: seekOf(before) }
    })
  })
  return { segments, end, copyable: keyCuts !== undefined && segments.every((one) => !one.held) }
}

export function ticks(time: number, { num, den }: Rational): number {
  return Math.round((time * num * CLOCK) / den)
}

/** When pictures are shown, in that order. */
function shownTimes(pictures: Pictures): Float64Array {
  const times = new Float64Array(pictures.length)
  let shown = 0
  for (let i = 0; i < pictures.length; i++) if (!pictures.isDiscarded(i)) times[shown++] = pictures.pts[i]!
  return times.subarray(0, shown).sort()
}

/** How long the picture of this time is shown; of several, the one that is decoded last. */
function durationAt(pictures: Pictures, pts: number): number {
  for (let i = pictures.length - 1; i >= 0; i--)
    if (pictures.pts[i] === pts && !pictures.isDiscarded(i)) return pictures.duration[i]!
  return 0
}

/** A cut at the first picture at or after every four seconds, and at two. */
function cutAnywhere(shown: Float64Array, toClock: (pts: number) => number): number[] {
  const cuts = [shown[0]!]
  let next = FIRST_SEGMENT
  for (const pts of shown) {
    const time = toClock(pts)
    // A rounding error of the clock is not a reason to wait for the picture after.
    if (time < next - 2) continue
    cuts.push(pts)
    next = (Math.floor((time + 2) / SEGMENT) + 1) * SEGMENT
  }
  return cuts
}

/** The key pictures nearest to such places; undefined where two are too far apart. */
function cutAtKeys(keys: Float64Array, toClock: (pts: number) => number, end: number): number[] | undefined {
  const times = keys.map(toClock)
  const cuts = [0]
  for (let i = 1; i < times.length; i++) {
    const from = times[cuts.at(-1)!]!
    const wanted = cuts.length === 1 ? FIRST_SEGMENT : SEGMENT
    const here = times[i]! - from
    const next = (times[i + 1] ?? Number.POSITIVE_INFINITY) - from
    if (here >= wanted || wanted - here <= next - wanted) if (here > wanted / 2) cuts.push(i)
  }
  const edges = [...cuts.map((cut) => times[cut]!), end]
  if (edges.some((edge, i) => i > 0 && edge - edges[i - 1]! > LONGEST_COPIED)) return undefined
  return cuts.map((cut) => keys[cut]!)
}

/**
 * When the key pictures are shown, where every one of them parts what is decoded before it from what is decoded
 * after it as it parts what is shown; undefined where one does not, or where times are missing or disordered.
 */
function cleanKeys(pictures: Pictures): Float64Array | undefined {
  const { length, pts, dts } = pictures
  if (!pictures.isKey(0)) return undefined
  const earliestAfter = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY)
  for (let i = length - 1; i >= 0; i--) earliestAfter[i] = Math.min(pts[i]!, earliestAfter[i + 1]!)
  let latestBefore = Number.NEGATIVE_INFINITY
  const keys = new Float64Array(length)
  let count = 0
  for (let i = 0; i < length; i++) {
    if (pictures.isDiscarded(i) || (i > 0 && dts[i]! <= dts[i - 1]!)) return undefined
    if (pictures.isKey(i)) {
      if (latestBefore >= pts[i]! || earliestAfter[i + 1]! <= pts[i]!) return undefined
      keys[count++] = pts[i]!
    }
    latestBefore = Math.max(latestBefore, pts[i]!)
  }
  return keys.subarray(0, count)
}

/** Finds the place to begin reading from so that a picture can be decoded. */
function seeker({ pictures, video, container }: Probe): (pts: number) => number | undefined {
  // Matroska's index has the times of showing, the others' those of decoding.
  const byShowing = container.includes('matroska')
  const keys = keysAsShown(pictures)
  return (pts) => {
    let low = 0
    for (let high = keys.length; low < high; ) {
      const middle = (low + high) >> 1
      if (pictures.pts[keys[middle]!]! <= pts) low = middle + 1
      else high = middle
    }
    const key = keys[low - 1]
    if (!key) return undefined
    const time = byShowing ? pictures.pts[key]! : pictures.dts[key]!
    return Math.ceil((time * video.timeBase.num * 1_000_000) / video.timeBase.den)
  }
}

/** Which pictures are key pictures, in the order in which they are shown. */
function keysAsShown(pictures: Pictures): Uint32Array {
  const { pts } = pictures
  const keys = new Uint32Array(pictures.length)
  let count = 0
  let isInOrder = true
  for (let i = 0; i < pictures.length; i++) {
    if (!pictures.isKey(i)) continue
    if (count > 0 && pts[i]! < pts[keys[count - 1]!]!) isInOrder = false
    keys[count++] = i
  }
  const found = keys.subarray(0, count)
  return isInOrder ? found : found.sort((a, b) => pts[a]! - pts[b]!)
}

/** A segment whose last picture stays on for long becomes several. */
function withHeld(
  segment: Segment,
  until: number,
  before: (time: number) => Pick<Segment, 'from' | 'seek'>,
): Segment[] {
  if (until - segment.start <= 2 * LONGEST_HELD) return [segment]
  const parts = Math.ceil((until - segment.start) / LONGEST_HELD)
  const step = Math.floor((until - segment.start) / parts)
  return Array.from({ length: parts }, (_, i) =>
    i === 0 ? segment : { ...before(segment.start + i * step), start: segment.start + i * step, held: true },
  )
}

function lastBefore(shown: Float64Array, time: number, toClock: (pts: number) => number): number {
  let low = 0
  for (let high = shown.length; low < high; ) {
    const middle = (low + high) >> 1
    if (toClock(shown[middle]!) < time) low = middle + 1
    else high = middle
  }
  return shown[Math.max(0, low - 1)]!
}
