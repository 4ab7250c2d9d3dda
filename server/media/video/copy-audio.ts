import type { Readable } from 'node:stream'
import {
  ADTS_HEADER,
  BLOCK,
  type CopiedSound,
  type CopyableSound,
  gridOf,
  isOfKind,
  placePackets,
  SILENCE,
  type SourcePacket,
} from './aac-packets.ts'
import { audioBlocks, readAdts, type Sound } from './audio-blocks.ts'
import { MediaProgramFailed } from './errors.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, readWhole, runProgram } from './program.ts'

/** A sound whose packets are read. */
interface ReadSound extends Pick<Sound, 'source' | 'channels' | 'nice' | 'signal'> {
  stream: number
  sampleRate: number
}

/** Some seconds of what comes first show what a sound is; what comes later is looked at when it is copied. */
const TRIED_SECONDS = 3

/** Tries a sound out that could be copied. Undefined where it is to be encoded. */
export async function tryCopying(
  tools: MediaTools,
  sound: Omit<ReadSound, 'stream' | 'sampleRate'> & CopyableSound,
  pictures: number,
): Promise<CopiedSound | undefined> {
  const { sampleRate } = sound
  const packets = await readPackets(tools, sound, { from: pictures, until: pictures + TRIED_SECONDS })
  const zero = packets && gridOf(packets, sampleRate, pictures)
  if (zero === undefined) return undefined
  const bytes = packets!.reduce((sum, { data }) => sum + data.length, 0)
  const measured = (bytes * 8 * sampleRate) / BLOCK / packets!.length
  return { sampleRate, zero, bitrate: Math.ceil(Math.max(sound.bitrate, measured)) }
}

/** Segments that are read at once: few at first, since somebody waits for them. */
const MOST_AT_ONCE = 64
/** Where so many in a row cannot be copied, the others are not tried. */
const ENOUGH_TRIED = 16

/**
 * The blocks of segments, of which `cuts` has the first block of each and the end. They are the source's own packets;
 * segments of which one is missing, damaged or out of place are encoded, on the same grid and by the same
 * configuration, so that they fit those before and behind them.
 */
export async function* copiedBlocks(
  tools: MediaTools,
  sound: Sound & { copied: CopiedSound },
  cuts: number[],
): AsyncGenerator<Buffer> {
  const last = cuts.length - 1
  let isHeard = false
  const encode = (from: number, to: number) => {
    const span = { first: cuts[from]!, end: cuts[to]! }
    return audioBlocks(tools, { ...sound, zero: sound.copied.zero }, span, isHeard)
  }
  for (let at = 0, count = 1; at < last; at += count, count = Math.min(2 * count, MOST_AT_ONCE)) {
    const end = Math.min(at + count, last)
    const runs = await readSegments(tools, sound, cuts.slice(at, end + 1))
    isHeard ||= runs.some((blocks) => blocks)
    if (runs.every((blocks) => !blocks) && runs.length >= ENOUGH_TRIED) return yield* encode(at, last)
    for (let from = at; from < end; ) {
      const blocks = runs[from - at]
      let to = from + 1
      if (blocks) yield* blocks
      else {
        while (to < end && !runs[to - at]) to++
        yield* encode(from, to)
      }
      from = to
    }
  }
}

/** The packets of each segment; undefined for one that cannot be copied. */
async function readSegments(
  tools: MediaTools,
  { copied, stream, ...sound }: Sound & { copied: CopiedSound },
  cuts: number[],
): Promise<(Buffer[] | undefined)[]> {
  const second = (block: number) => copied.zero + (block * BLOCK) / copied.sampleRate
  const [first, end] = [cuts[0]!, cuts.at(-1)!]
  const packets = await readPackets(
    tools,
    { ...sound, stream: stream!, sampleRate: copied.sampleRate },
    { from: second(first), until: second(end) },
  )
  const placed = packets && placePackets(packets, copied, sound.zero!)
  const silence = SILENCE[sound.channels - 1]!
  return cuts.slice(1).map((until, i) => {
    const from = cuts[i]!
    // Silence fills up the segment in which the sound ends. Those behind it are left to whoever knows why there is none.
    if (!placed || from >= placed.end) return undefined
    const blocks = Array.from({ length: until - from }, (_, n) =>
      from + n >= placed.end ? silence : placed.blocks.get(from + n),
    )
    return blocks.every((block) => block !== undefined) ? blocks : undefined
  })
}

/** Readers of some formats begin a little late after a seek. */
const SEEK_BACK_SECONDS = 1
/** What is read behind the end, to know whether the sound goes on; as much again is decoded, or the last would be cut. */
const MARGIN_SECONDS = 1
const FAR_SECONDS = 10
const MEMORY_BYTES = 2 * 2 ** 30
/** Far more than the most segments at once take. */
const MAX_BYTES = 64 * 2 ** 20

/**
 * Reads the packets of a stretch and decodes them beside it, by a decoder that lets nothing pass: what it does not like
 * is not passed on to players, of which some would stop at it. Undefined where that cannot be done.
 */
async function readPackets(
  tools: MediaTools,
  sound: ReadSound,
  { from, until }: { from: number; until: number },
): Promise<SourcePacket[] | undefined> {
  const { source, nice, signal } = sound
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: readingArgs(sound, from - SEEK_BACK_SECONDS, until + MARGIN_SECONDS),
    inputs: [source],
    pipes: 2,
    cpuSeconds: Math.ceil(120 + until - from),
    memoryBytes: MEMORY_BYTES,
    nice,
    signal,
  })
  const lines = async (pipe: Readable) =>
    readLines((await readWhole(pipe, MAX_BYTES, program.kill)).toString())
  try {
    const [packets, listed, decoded] = await Promise.all([
      allPackets(program.stdout, program.kill),
      lines(program.pipes[0]!),
      lines(program.pipes[1]!),
    ])
    await program.ended
    if (packets.length !== listed.length || !packets.every((packet) => isOfKind(packet, sound)))
      return undefined
    return joined(packets, listed, decoded, sound)
  } catch (error) {
    if (signal?.aborted || !(error instanceof MediaProgramFailed)) throw error
    return undefined
  } finally {
    program.kill('not needed any more')
  }
}

function readingArgs({ source, stream }: ReadSound, from: number, until: number): string[] {
  const seek = from < FAR_SECONDS ? [] : ['-seek_timestamp', '1', '-ss', from.toFixed(6), '-noaccurate_seek']
  const copy = ['-map', `0:${stream}`, '-c:a', 'copy', '-copypriorss', '1', '-to', until.toFixed(6)]
  return [
    ...['-nostdin', '-v', 'error', '-max_error_rate', '1', '-copyts', ...INPUT_GUARDS],
    // Samples that a file wants left out are decoded as well, so that each packet comes to all of its own.
    ...['-err_detect:a', 'crccheck+bitstream+buffer+explode', '-flags2:a', '+skip_manual'],
    ...[...seek, '-i', source],
    ...[...copy, '-f', 'adts', 'pipe:1', ...copy, '-f', 'framecrc', 'pipe:3'],
    ...['-map', `0:${stream}`, '-c:a', 'pcm_s16le', '-to', (until + MARGIN_SECONDS).toFixed(6)],
    ...['-f', 'framecrc', 'pipe:4'],
  ]
}

async function allPackets(stream: Readable, kill: (why: string) => void): Promise<Buffer[]> {
  const packets: Buffer[] = []
  let bytes = 0
  for await (const packet of readAdts(stream)) {
    packets.push(packet)
    bytes += packet.length
    if (bytes > MAX_BYTES) kill('more output than expected')
  }
  return packets
}

/** A packet or a piece of decoded sound, as ffmpeg lists it. */
interface Listed {
  time: number
  size: number
}

/** Reads what the format `framecrc` tells: a time base, then a line for each packet. */
function readLines(text: string): Listed[] {
  const [, num, den] = /^#tb 0: (\d+)\/(\d+)$/m.exec(text) ?? []
  return text
    .split('\n')
    .filter((line) => line.startsWith('0,'))
    .map((line) => {
      const [, , pts, , size] = line.split(',').map(Number)
      return { time: (pts! * Number(num)) / Number(den), size: size! }
    })
}

const SAMPLE_BYTES = 2

/** Packets with their times, each whole where all of its samples came out of the decoder at its time. */
function joined(
  packets: Buffer[],
  listed: Listed[],
  decoded: Listed[],
  { sampleRate, channels }: ReadSound,
): SourcePacket[] {
  const block = BLOCK / sampleRate
  let at = 0
  return packets.map((packet, i) => {
    const { time } = listed[i]!
    while (at < decoded.length && decoded[at]!.time < time - block / 2) at++
    const sound = decoded[at]
    const isWhole =
      sound !== undefined &&
      Math.abs(sound.time - time) < block / 2 &&
      sound.size === BLOCK * channels * SAMPLE_BYTES
    if (isWhole) at++
    return { time, data: packet.subarray(ADTS_HEADER), isWhole }
  })
}
