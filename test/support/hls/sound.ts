import { findWindow, loudness } from './correlation.ts'
import type { Track } from './download.ts'
import { RATE, readTimeline, type Timeline } from './timeline.ts'
import { endOf } from './timing.ts'

const TOLERANCE_S = 0.02
const SILENCE = 30
const FAINT = 600

/** That an audio rendition is as long as the video and sounds like the source at the same moments. */
export async function checkSound(track: Track, videoEnd: number, source: Timeline): Promise<string[]> {
  const problems: string[] = []
  const end = endOf(track)
  if (Math.abs(end - videoEnd) > 0.05)
    problems.push(`the sound ends at ${end.toFixed(3)} s and the picture at ${videoEnd.toFixed(3)} s`)
  const own = await readTimeline(track.file, 0, { zero: 0, rounded: 0 })
  problems.push(...checkSync(own, source, videoEnd), ...checkBorders(track, own, source))
  return problems
}

function checkSync(own: Timeline, source: Timeline, seconds: number): string[] {
  const problems: string[] = []
  const length = Math.min(RATE, Math.floor(seconds * RATE))
  for (const from of windows(Math.floor(seconds * RATE), length)) {
    const when = `at ${(from / RATE).toFixed(1)} s`
    if (loudness(source, from, length) < SILENCE) {
      if (loudness(own, from, length) > FAINT) problems.push(`sound ${when}, where the source is silent`)
      continue
    }
    if (soundingPart(source, from, length) < 0.2) continue
    const { best, closest } = findWindow(source, own, {
      ...{ from, length, reach: RATE / 4, sharpness: 0.9 },
      near: TOLERANCE_S * RATE,
    })
    if (best.likeness < 0.3) problems.push(`the sound ${when} is not that of the source`)
    // A note that lasts is found again and again; what counts is whether it is found here as well.
    else if (closest.likeness < 0.97 * best.likeness)
      problems.push(`the sound ${when} is ${((best.lag / RATE) * 1000).toFixed(1)} ms late`)
  }
  return problems
}

/** How much of a window is not silence; too little of it is like anything. */
function soundingPart(sound: Timeline, from: number, length: number): number {
  const step = RATE / 100
  const blocks = Array.from({ length: Math.floor(length / step) }, (_, i) => from + i * step)
  return blocks.filter((at) => loudness(sound, at, step) >= SILENCE).length / blocks.length
}

/** At most sixty windows over the whole length, the first at the start and the last at the end. */
function windows(total: number, length: number): number[] {
  if (length < RATE / 10) return []
  const count = Math.min(60, Math.ceil(total / RATE))
  if (count < 2) return [0]
  return Array.from({ length: count }, (_, i) => Math.round(((total - length) * i) / (count - 1)))
}

const SHORT = Math.round(0.04 * RATE)

/** That nothing is lost or added where one segment meets the next: there, too, it is like the source. */
function checkBorders(track: Track, own: Timeline, source: Timeline): string[] {
  const likeness = (seconds: number) => {
    const from = Math.round(seconds * RATE - SHORT / 2)
    if (from < 0 || loudness(source, from, SHORT) < 10 * SILENCE) return undefined
    const near = TOLERANCE_S * RATE
    return findWindow(source, own, { from, length: SHORT, reach: near, near, sharpness: 0 }).closest.likeness
  }
  const { shift, timescale } = track.init!
  const step = Math.ceil(track.pieces.length / 200)
  const pieces = track.pieces.filter((_, i) => i > 0 && i % step === 0)
  const inside = pieces.map(({ start, duration }) => likeness(start + duration / 2 - shift / timescale))
  const usual = inside.filter((one) => one !== undefined).sort((a, b) => a - b)
  const middle = usual[usual.length >> 1] ?? 0
  return pieces.flatMap(({ start }) => {
    const atBorder = likeness(start - shift / timescale) ?? 1
    if (middle < 0.9 || atBorder > 0.75) return []
    return [`the sound is broken at ${start.toFixed(3)} s, where a segment begins`]
  })
}
