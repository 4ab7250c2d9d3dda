import { audioBlocks, BLOCK, SAMPLE_RATE, type Sound } from './audio-blocks.ts'
import { type Mp4Sample, writeSegment } from './fragments.ts'
import { audioInit } from './init-segment.ts'
import type { MadeSegment } from './make-video.ts'
import type { MediaTools } from './program.ts'
import { CLOCK } from './timeline.ts'

/**
 * The sound of a presentation, made in one pass: blocks of AAC overlap, and encoders that begin anew at each
 * segment would click. One that begins in the middle takes a run-up, so that its first block fits the last
 * of another pass.
 */
export interface AudioPass extends Sound {
  rendition: string
  /** The starts of the segments and the end, in ticks of the clock. */
  edges: number[]
  /** The segments to make. */
  first: number
  end: number
}

/** The first block that begins in or after a tick. */
function blockAt(tick: number): number {
  return Math.ceil((tick * SAMPLE_RATE) / CLOCK / BLOCK)
}

/** Where the sound of segments begins and ends: whole blocks, so a little later than the picture. */
export function audioEdges(edges: number[]): number[] {
  return edges.map((edge) => (blockAt(edge) * BLOCK * CLOCK) / SAMPLE_RATE)
}

export async function makeAudio(
  tools: MediaTools,
  pass: AudioPass,
  onSegment: (segment: MadeSegment) => Promise<void>,
): Promise<void> {
  const init = audioInit(SAMPLE_RATE, pass.channels)
  const { rendition, edges } = pass
  const first = blockAt(edges[pass.first]!)
  const end = blockAt(edges[pass.end]!)
  let number = pass.first
  let samples: Mp4Sample[] = []
  let at = first
  for await (const data of audioBlocks(tools, pass, { first, end })) {
    samples.push({ data, sync: true, time: at++ * BLOCK })
    while (number < pass.end && at >= blockAt(edges[number + 1]!)) {
      const span = { start: (at - samples.length) * BLOCK, end: at * BLOCK, number }
      await onSegment({ rendition, number, init, bytes: writeSegment(samples, span) })
      number++
      samples = []
    }
  }
}
