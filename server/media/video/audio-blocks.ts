import type { Readable } from 'node:stream'
import { ADTS_HEADER, BLOCK, type CopiedSound, SILENCE } from './aac-packets.ts'
import { MediaProgramFailed, ProgramGaveUp } from './errors.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, type RunningProgram, runProgram } from './program.ts'

/** Of sound that is encoded, unless it takes the place of some that is copied. */
const SAMPLE_RATE = 48_000
const MEMORY_BYTES = 2 * 2 ** 30

/** A sound in a file, and how it is encoded. */
export interface Sound {
  source: string
  /** Input options that say what may be opened. */
  guards?: string[]
  stream: number | undefined
  channels: number
  /** The second of the source's clock at which the presentation begins; undefined for its own beginning. */
  zero: number | undefined
  /** Where it is AAC already: encoded is then only what cannot be copied, so that it fits what is. */
  copied?: CopiedSound
  nice: number
  signal?: AbortSignal
}

/** Blocks `[first, end)`. */
interface BlockRange {
  first: number
  end: number
}

export function sampleRateOf({ copied }: Pick<Sound, 'copied'>): number {
  return copied?.sampleRate ?? SAMPLE_RATE
}

/** Where a decoder has given up, one that is to begin behind that place must not come by it in its run-up. */
const SKIP_BLOCKS = Math.ceil((2 * SAMPLE_RATE) / BLOCK)
const MAX_RESTARTS = 20

/**
 * Encodes a span of a sound: every block of it, with silence where there is no sound or none that can be decoded.
 * Most decoders get over damage by themselves. From a place where one gives up, another begins a while later. Whoever has
 * heard some of the sound before says so: then what cannot be decoded is damage.
 */
export async function* audioBlocks(
  tools: MediaTools,
  sound: Sound,
  { first, end }: BlockRange,
  isHeard = false,
): AsyncGenerator<Buffer> {
  const silence = SILENCE[sound.channels - 1]!
  let at = first
  let skip = 0
  for (let restarts = 0; ; restarts++) {
    try {
      for await (const block of encoded(tools, sound, { first: at + skip, end })) {
        for (; skip > 0; skip--, at++) yield silence
        yield block
        at++
        isHeard = true
      }
      break
    } catch (error) {
      if (!(error instanceof ProgramGaveUp)) throw error
      skip = skip === 0 ? SKIP_BLOCKS : 2 * skip
      if (restarts < MAX_RESTARTS && at + skip < end && sound.zero !== undefined) continue
      // Where nothing can be heard, the fault may be anybody's: it is not made silence for ever.
      if (!isHeard) throw error
      break
    }
  }
  for (; at < end; at++) yield silence
}

/** What an encoder does depends on what it has heard before; a while later it no longer does. */
const RUN_UP_BLOCKS = 20
/** The encoder begins with a block of what comes before the sound; without it, sound is where it belongs. */
const PRIMING_BLOCKS = 1

/** The blocks that come out of one run; they may be fewer than asked for, where the sound ends. */
async function* encoded(tools: MediaTools, sound: Sound, { first, end }: BlockRange): AsyncGenerator<Buffer> {
  const begin = Math.max(0, first - RUN_UP_BLOCKS)
  const program = start(tools, sound, begin, end)
  try {
    let block = begin - PRIMING_BLOCKS
    for await (const data of readAdts(program.stdout)) {
      const at = block++
      if (at >= first && at < end) yield data.subarray(ADTS_HEADER)
    }
    await program.ended
  } finally {
    program.kill('not needed any more')
  }
}

function start(tools: MediaTools, sound: Sound, begin: number, end: number): RunningProgram {
  const until = (end * BLOCK) / sampleRateOf(sound)
  return runProgram(tools, {
    program: 'ffmpeg',
    args: decodingArgs(sound, begin, until + SLACK_SECONDS),
    into: encodingArgs(sound, begin, until + 2 * SLACK_SECONDS),
    inputs: [sound.source],
    cpuSeconds: Math.ceil(120 + until),
    memoryBytes: MEMORY_BYTES,
    nice: sound.nice,
    signal: sound.signal,
  })
}

/** A little more than is needed, so that the last block is a whole one; and the encoder takes all there is. */
const SLACK_SECONDS = 0.05
const FAR_SECONDS = 10
/** Decoders of some formats are not sure of themselves just after a seek. */
const SEEK_BACK_SECONDS = 1

/**
 * Decodes to samples of one kind, with their times. Where the kind of the sound changes, as broadcasts do and
 * damage does, ffmpeg sets its filters up anew: so none of these may remember anything. Blocks that are damaged
 * are left out, however many they are.
 */
function decodingArgs(sound: Sound, begin: number, until: number): string[] {
  const { source, guards = INPUT_GUARDS, stream, channels, zero } = sound
  const sampleRate = sampleRateOf(sound)
  const place = (zero ?? 0) + (begin * BLOCK) / sampleRate - SEEK_BACK_SECONDS
  // A part of a long file may begin far from its beginning.
  const seek =
    begin === 0 && place < FAR_SECONDS
      ? []
      : ['-seek_timestamp', '1', '-ss', place.toFixed(6), '-noaccurate_seek']
  // What is before the first picture is cut off.
  const cut =
    zero === undefined ? [] : [`asetpts=PTS-${zero.toFixed(9)}/TB`, `atrim=start=0:end=${until.toFixed(6)}`]
  const filters = [
    ...cut,
    `aresample=${sampleRate}`,
    `aformat=sample_fmts=flt:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`,
    // Not one block may be whole: then this is all there is to encode, and to encode nothing is an error.
    `apad=pad_len=${BLOCK}`,
  ]
  return [
    ...['-nostdin', '-v', 'error', '-max_error_rate', '1', '-copyts', ...guards, ...seek, '-i', source],
    ...['-map', stream === undefined ? '0:a:0' : `0:${stream}`, '-af', filters.join(',')],
    ...(zero === undefined ? ['-t', until.toFixed(6)] : []),
    ...['-c:a', 'pcm_f32le', '-f', 'nut', 'pipe:1'],
  ]
}

function encodingArgs({ channels, zero }: Sound, begin: number, until: number): string[] {
  const filters = [
    ...(zero === undefined ? ['asetpts=PTS-STARTPTS'] : []),
    // Silence where there is no sound yet or a gap. Timestamps that waver by less than a block are no gap: to
    // follow them would make sound that is whole crackle.
    `aresample=async=1:min_hard_comp=0.03:first_pts=${begin * BLOCK}`,
    `aformat=sample_fmts=fltp,atrim=end=${until.toFixed(6)}`,
  ]
  return [
    ...['-nostdin', '-v', 'error', '-copyts', '-protocol_whitelist', 'pipe', '-f', 'nut', '-i', 'pipe:0'],
    ...['-map', '0:0', '-af', filters.join(',')],
    ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', channels === 1 ? '80k' : '160k'],
    ...['-f', 'adts', 'pipe:1'],
  ]
}

/** The blocks of an ADTS stream, each with its header. */
export async function* readAdts(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (rest.length - at >= ADTS_HEADER) {
      if (rest[at] !== 0xff || (rest[at + 1]! & 0xf6) !== 0xf0) throw new MediaProgramFailed('not ADTS')
      const length = ((rest[at + 3]! & 3) << 11) | (rest[at + 4]! << 3) | (rest[at + 5]! >> 5)
      if (length < ADTS_HEADER) throw new MediaProgramFailed('not ADTS')
      if (rest.length - at < length) break
      // Copied: a block of a few hundred bytes must not keep the whole chunk in memory.
      yield Buffer.from(rest.subarray(at, at + length))
      at += length
    }
    rest = rest.subarray(at)
  }
}
