import { ffmpegLines } from '../videos/programs.ts'

export const RATE = 8000

/** Mono sound from time 0 on; silent where there is none. */
export type Timeline = Int16Array

/**
 * Decodes an audio stream and puts every piece of it where its timestamp says. Those of some formats are
 * rounded: a piece that seems to begin up to `rounded` seconds from the end of the last one begins there.
 */
export async function readTimeline(
  file: string,
  stream: number,
  { zero, rounded }: { zero: number; rounded: number },
): Promise<Timeline> {
  const pieces: { at: number; count: number }[] = []
  const { stdout } = await ffmpegLines(
    [
      ...['-v', 'info', '-copyts', '-i', file, '-map', `0:a:${stream}`],
      ...['-af', `aformat=sample_fmts=s16:sample_rates=${RATE}:channel_layouts=mono,ashowinfo`],
      ...['-f', 's16le', '-'],
    ],
    (line) => {
      const [, pts, count] = /ashowinfo.* pts:(-?\d+) .* nb_samples:(\d+) /.exec(line) ?? []
      if (!pts) return
      const at = Number(pts) - Math.round(zero * RATE)
      const last = pieces.at(-1)
      const end = last ? last.at + last.count : Number.NaN
      pieces.push({ at: Math.abs(at - end) <= rounded * RATE ? end : at, count: Number(count) })
    },
  )
  const samples = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length >> 1)
  const timeline = new Int16Array(Math.max(0, ...pieces.slice(-1).map(({ at, count }) => at + count)))
  let from = 0
  for (const { at, count } of pieces) {
    const skipped = Math.max(0, -at)
    if (skipped < count) timeline.set(samples.subarray(from + skipped, from + count), at + skipped)
    from += count
  }
  return timeline
}

/** The root mean square of what is heard between two seconds. */
export function loudness(timeline: Timeline, from: number, to: number): number {
  const span = timeline.subarray(from * RATE, to * RATE)
  return Math.sqrt(span.reduce((sum, sample) => sum + sample ** 2, 0) / span.length)
}
