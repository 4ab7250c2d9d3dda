import type { Packet, Probe, Rational } from './probe.ts'

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

const SEGMENT = 4 * CLOCK
/** The first is what a viewer waits for: half as long, it is there almost twice as soon. */
const FIRST_SEGMENT = 2 * CLOCK
const LONGEST_COPIED = 10 * CLOCK
const LONGEST_HELD = 10 * CLOCK

/**
 * Cuts a video into segments of about four seconds, after a shorter first one: at its own key pictures where a copy is wanted and
 * they allow it, at any picture otherwise.
 */
export function timelineOf(probe: Probe, wantCopy: boolean): Timeline {
  const { timeBase } = probe.video
  const shown = probe.packets.filter((packet) => !packet.discarded).sort((a, b) => a.pts - b.pts)
  const zero = shown[0]!.pts
  const toClock = (pts: number) => ticks(pts - zero, timeBase)
  const last = shown.at(-1)!
  const gap = shown.length > 1 ? toClock(last.pts) - toClock(shown.at(-2)!.pts) : CLOCK / 25
  const lastDuration = ticks(last.duration, timeBase) || gap
  const videoEnd = toClock(last.pts) + Math.max(1, Math.min(lastDuration, LONGEST_HELD))
  const audioEnds = probe.audio.map(({ end }) => (end ?? 0) * CLOCK - ticks(zero, timeBase))
  const end = Math.round(Math.max(videoEnd, ...audioEnds))

  const keys = wantCopy ? cleanKeys(probe.packets) : undefined
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

/** A cut at the first picture at or after every four seconds, and at two. */
function cutAnywhere(shown: Packet[], toClock: (pts: number) => number): number[] {
  const cuts = [shown[0]!.pts]
  let next = FIRST_SEGMENT
  for (const { pts } of shown) {
    const time = toClock(pts)
    // A rounding error of the clock is not a reason to wait for the picture after.
    if (time < next - 2) continue
    cuts.push(pts)
    next = (Math.floor((time + 2) / SEGMENT) + 1) * SEGMENT
  }
  return cuts
}

/** The key pictures nearest to such places; undefined where two are too far apart. */
function cutAtKeys(keys: Packet[], toClock: (pts: number) => number, end: number): number[] | undefined {
  const times = keys.map((key) => toClock(key.pts))
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
  return cuts.map((cut) => keys[cut]!.pts)
}

/**
 * The key pictures, where every one of them parts what is decoded before it from what is decoded after
 * it as it parts what is shown; undefined where one does not, or where times are missing or disordered.
 */
function cleanKeys(packets: Packet[]): Packet[] | undefined {
  if (!packets[0]?.key || packets.some((packet) => packet.discarded)) return undefined
  const earliestAfter = new Float64Array(packets.length + 1).fill(Number.POSITIVE_INFINITY)
  for (let i = packets.length - 1; i >= 0; i--)
    earliestAfter[i] = Math.min(packets[i]!.pts, earliestAfter[i + 1]!)
  let latestBefore = Number.NEGATIVE_INFINITY
  const keys: Packet[] = []
  for (const [i, packet] of packets.entries()) {
    if (i > 0 && packet.dts <= packets[i - 1]!.dts) return undefined
    if (packet.key) {
      if (latestBefore >= packet.pts || earliestAfter[i + 1]! <= packet.pts) return undefined
      keys.push(packet)
    }
    latestBefore = Math.max(latestBefore, packet.pts)
  }
  return keys
}

/** Finds the place to begin reading from so that a picture can be decoded. */
function seeker({ packets, video, container }: Probe): (pts: number) => number | undefined {
  // Matroska's index has the times of showing, the others' those of decoding.
  const byShowing = container.includes('matroska')
  const keys = packets.filter((packet) => packet.key).sort((a, b) => a.pts - b.pts)
  return (pts) => {
    let low = 0
    for (let high = keys.length; low < high; ) {
      const middle = (low + high) >> 1
      if (keys[middle]!.pts <= pts) low = middle + 1
      else high = middle
    }
    const key = keys[low - 1]
    if (!key || key === packets[0]) return undefined
    const time = byShowing ? key.pts : key.dts
    return Math.ceil((time * video.timeBase.num * 1_000_000) / video.timeBase.den)
  }
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

function lastBefore(shown: Packet[], time: number, toClock: (pts: number) => number): number {
  let low = 0
  for (let high = shown.length; low < high; ) {
    const middle = (low + high) >> 1
    if (toClock(shown[middle]!.pts) < time) low = middle + 1
    else high = middle
  }
  return shown[Math.max(0, low - 1)]!.pts
}
