import type { Track } from './download.ts'
import type { Variant } from './playlist.ts'

/** The largest bit rate of neighbouring segments that together last about a target duration, as RFC 8216 has it. */
export function peakBitRate({ pieces, playlist: { targetDuration } }: Track): number {
  let peak = 0
  for (let from = 0; from < pieces.length; from++) {
    let [bytes, seconds] = [0, 0]
    for (let to = from; to < pieces.length && seconds <= 1.5 * targetDuration; to++) {
      bytes += pieces[to]!.bytes
      seconds += pieces[to]!.duration
      const isEnough = seconds >= 0.5 * targetDuration || (from === 0 && to === pieces.length - 1)
      if (isEnough && seconds <= 1.5 * targetDuration) peak = Math.max(peak, (bytes * 8) / seconds)
    }
  }
  return peak
}

function averageBitRate({ pieces }: Track): number {
  const [bytes, seconds] = [
    sum(pieces.map((piece) => piece.bytes)),
    sum(pieces.map((piece) => piece.duration)),
  ]
  return (bytes * 8) / seconds
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

/** What is declared against what a player with the most expensive audio has to load. */
export function checkBandwidth(variant: Variant, video: Track, audios: Track[], settled: boolean): string[] {
  const problems: string[] = []
  const most = (rate: (track: Track) => number) => rate(video) + Math.max(0, ...audios.map(rate))
  const peak = Math.ceil(most(peakBitRate))
  if (peak > variant.bandwidth) problems.push(`BANDWIDTH is ${variant.bandwidth}, but the peak is ${peak}`)
  const average = Math.ceil(most(averageBitRate))
  if (settled && average > variant.averageBandwidth * 1.1)
    problems.push(`AVERAGE-BANDWIDTH is ${variant.averageBandwidth}, but the average is ${average}`)
  return problems
}
