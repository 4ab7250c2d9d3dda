import { BLOCK } from './aac-packets.ts'
import { audioBlocks, type Sound, sampleRateOf } from './audio-blocks.ts'
import { copiedBlocks } from './copy-audio.ts'
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
function blockAt(tick: number, sampleRate: number): number {
  return Math.ceil((tick * sampleRate) / CLOCK / BLOCK)
}

/** Where the sound of segments begins and ends: whole blocks, so a little later than the picture. */
export function audioEdges(edges: number[], sound: Pick<Sound, 'copied'>): number[] {
  const sampleRate = sampleRateOf(sound)
  return edges.map((edge) => (blockAt(edge, sampleRate) * BLOCK * CLOCK) / sampleRate)
}

export async function makeAudio(
  tools: MediaTools,
  pass: AudioPass,
  onSegment: (segment: MadeSegment) => Promise<void>,
): Promise<void> {
  const { rendition, copied } = pass
  const sampleRate = sampleRateOf(pass)
  const init = audioInit(sampleRate, pass.channels)
  const cuts = pass.edges.slice(pass.first, pass.end + 1).map((edge) => blockAt(edge, sampleRate))
  const [first, end] = [cuts[0]!, cuts.at(-1)!]
  const blocks = copied
    ? copiedBlocks(tools, { ...pass, copied }, cuts)
    : audioBlocks(tools, pass, { first, end })
  let number = pass.first
  let samples: Mp4Sample[] = []
  let at = first
  for await (const data of blocks) {
    samples.push({ data, sync: true, time: at++ * BLOCK })
    while (number < pass.end && at >= cuts[number + 1 - pass.first]!) {
      const span = { start: (at - samples.length) * BLOCK, end: at * BLOCK, number }
      await onSegment({ rendition, number, init, bytes: writeSegment(samples, span) })
      number++
      samples = []
    }
  }
}
