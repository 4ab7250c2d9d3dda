import type { Readable } from 'node:stream'
import { MediaProgramFailed } from './errors.ts'
import { type Sample, writeSegment } from './fragments.ts'
import { audioInit } from './init-segment.ts'
import type { MadeSegment } from './make-video.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, runProgram } from './program.ts'
import { CLOCK } from './timeline.ts'

const SAMPLE_RATE = 48_000
/** Samples in a block of AAC. */
const BLOCK = 1024
const HEADER = 7
const MEMORY_BYTES = 2 * 2 ** 30

/**
 * The sound of a presentation, made in one pass: blocks of AAC overlap, and encoders that begin anew at each
 * segment would click. One that begins in the middle takes a run-up, so that its first block fits the last
 * of another pass.
 */
export interface AudioPass {
  rendition: string
  source: string
  /** Input options that say what may be opened. */
  guards?: string[]
  stream: number | undefined
  channels: number
  /** The second of the source's clock at which the presentation begins; undefined for its own beginning. */
  zero: number | undefined
  /** The starts of the segments and the end, in ticks of the clock. */
  edges: number[]
  /** The segments to make. */
  first: number
  end: number
  nice: number
  signal?: AbortSignal
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
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: encodingArgs(pass),
    inputs: [pass.source],
    cpuSeconds: Math.ceil(120 + pass.edges[pass.end]! / CLOCK),
    memoryBytes: MEMORY_BYTES,
    nice: pass.nice,
    signal: pass.signal,
  })
  const init = audioInit(SAMPLE_RATE, pass.channels)
  const { rendition, edges, first, end: last } = pass
  let number = first
  let samples: Sample[] = []

  async function flush(): Promise<void> {
    const start = blockAt(edges[number]!) * BLOCK
    const end = start + samples.length * BLOCK
    await onSegment({
      rendition,
      number,
      init,
      bytes: writeSegment(samples, { start, end, number }),
    })
    number++
    samples = []
  }

  try {
    let block = firstBlock(pass) - PRIMING_BLOCKS
    for await (const data of readAdts(program.stdout)) {
      const at = block++
      if (at < blockAt(edges[first]!) || at >= blockAt(edges[last]!)) continue
      while (number < last - 1 && at >= blockAt(edges[number + 1]!)) await flush()
      samples.push({ data, sync: true, time: at * BLOCK })
    }
    await program.ended
    if (number !== last - 1 || samples.length === 0)
      throw new MediaProgramFailed(`the sound ended in segment ${number} before ${last}`)
    await flush()
  } finally {
    program.kill('not needed any more')
  }
}

/** The encoder begins with a block of what comes before the sound; without it, sound is where it belongs. */
const PRIMING_BLOCKS = 1

/** What an encoder does depends on what it has heard before; a while later it no longer does. */
const RUN_UP_BLOCKS = 20
/** Decoders of some formats are not sure of themselves just after a seek. */
const SEEK_BACK_SECONDS = 1

function firstBlock({ edges, first }: AudioPass): number {
  return first === 0 ? 0 : Math.max(0, blockAt(edges[first]!) - RUN_UP_BLOCKS)
}

function encodingArgs(pass: AudioPass): string[] {
  const { source, guards = INPUT_GUARDS, stream, channels, zero, edges, end } = pass
  const begin = firstBlock(pass) * BLOCK
  // A little more than is needed, so that the last block is a whole one of the sound and its silence.
  const until = edges[end]! / CLOCK + 0.1
  const place = (zero ?? 0) + begin / SAMPLE_RATE - SEEK_BACK_SECONDS
  const seek = pass.first === 0 ? [] : ['-seek_timestamp', '1', '-ss', place.toFixed(6), '-noaccurate_seek']
  const filters = [
    `asetpts=PTS-${zero === undefined ? 'STARTPTS' : `${zero.toFixed(9)}/TB`}`,
    // Silence where there is none yet or a gap; what is before the first picture is cut off. Timestamps that
    // waver by less than a block are no gap: to follow them would make sound that is whole crackle.
    `aresample=${SAMPLE_RATE}:async=1:min_hard_comp=0.03:first_pts=${begin}`,
    `aformat=sample_fmts=fltp:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`,
    `apad=whole_dur=${(until - begin / SAMPLE_RATE).toFixed(6)}`,
    `atrim=end=${until.toFixed(6)}`,
  ]
  return [
    ...['-nostdin', '-v', 'error', '-copyts', ...guards, ...seek, '-i', source],
    ...['-map', stream === undefined ? '0:a:0' : `0:${stream}`, '-af', filters.join(',')],
    ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', channels === 1 ? '80k' : '160k'],
    ...['-f', 'adts', 'pipe:1'],
  ]
}

/** The blocks of an ADTS stream without their headers. */
async function* readAdts(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (rest.length - at >= HEADER) {
      if (rest[at] !== 0xff || (rest[at + 1]! & 0xf6) !== 0xf0) throw new MediaProgramFailed('not ADTS')
      const length = ((rest[at + 3]! & 3) << 11) | (rest[at + 4]! << 3) | (rest[at + 5]! >> 5)
      if (length < HEADER) throw new MediaProgramFailed('not ADTS')
      if (rest.length - at < length) break
      // Copied: a block of a few hundred bytes must not keep the whole chunk in memory.
      yield Buffer.from(rest.subarray(at + HEADER, at + length))
      at += length
    }
    rest = rest.subarray(at)
  }
}
