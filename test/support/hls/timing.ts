import type { Piece, Track } from './download.ts'

const MILLISECOND = 0.001

/**
 * The real length of a track on the common timeline: where its last sample ends. The picture that is shown
 * last need not be the one decoded last, to which the time until the end is given.
 */
export const endOf = (track: Track): number => {
  const last = track.pieces.at(-1)
  if (!last) return 0
  const decoded = last.samples[0]!.decodeTime + last.samples.reduce((sum, one) => sum + one.duration, 0)
  const shown = last.samples.map((one) => one.presentationTime + one.duration)
  return Math.max(decoded, ...shown) / scaleOf(track)
}

/**
 * When its frames are shown, as the boxes say and players take it. FFmpeg's own reading is late by the
 * largest composition offset below zero, if there is one.
 */
export const timesOf = (track: Track): number[] =>
  track.pieces
    .flatMap(({ samples }) => samples.map((sample) => sample.presentationTime / scaleOf(track)))
    .sort((a, b) => a - b)

const scaleOf = (track: Track) => track.init!.timescale

/** That segments are where, and as long as, their playlist says. */
export function checkTiming(track: Track): string[] {
  const problems: string[] = []
  const scale = scaleOf(track)
  for (const [i, piece] of track.pieces.entries()) {
    const say = (problem: string) => problems.push(`segment ${i} ${problem}`)
    // A playlist that rounds to microseconds may be off by as much for every segment before.
    const tolerance = MILLISECOND + i * 1e-6
    const first = piece.samples[0]!
    const begins = first.decodeTime / scale
    if (Math.abs(begins - piece.start) > tolerance)
      say(`has a tfdt of ${begins.toFixed(4)} s, but begins at ${piece.start.toFixed(4)} s by the playlist`)
    const length = piece.samples.reduce((sum, sample) => sum + sample.duration, 0) / scale
    if (Math.abs(length - piece.duration) > MILLISECOND)
      say(`lasts ${length.toFixed(4)} s, but ${piece.duration.toFixed(4)} s by the playlist`)
    if (track.kind === 'video')
      problems.push(...checkPictures(piece, scale, tolerance).map((it) => `segment ${i} ${it}`))
  }
  return problems
}

function checkPictures(piece: Piece, scale: number, tolerance: number): string[] {
  const problems: string[] = []
  const earliest = Math.min(...piece.samples.map((sample) => sample.presentationTime)) / scale
  if (Math.abs(earliest - piece.start) > tolerance)
    problems.push(
      `shows its first picture at ${earliest.toFixed(4)} s instead of ${piece.start.toFixed(4)} s`,
    )
  if (!piece.beginsAnew) problems.push('does not begin with an IDR picture')
  return problems
}

/** That a player may change from any variant to any other at every segment. */
export function checkAlignment(videos: Track[], audios: Track[]): string[] {
  const problems: string[] = []
  const [first] = videos
  for (const other of videos.slice(1)) {
    const same =
      other.playlist.segments.length === first!.playlist.segments.length &&
      other.playlist.segments.every(
        (segment, i) => Math.abs(segment.start - first!.playlist.segments[i]!.start) <= MILLISECOND,
      )
    if (!same) problems.push(`${other.label} and ${first!.label} have different segment borders`)
  }
  const targets = new Set([...videos, ...audios].map((track) => track.playlist.targetDuration))
  if (targets.size > 1) problems.push(`the target durations differ: ${[...targets].join(', ')}`)
  return problems
}
