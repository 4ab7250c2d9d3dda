import { open } from 'node:fs/promises'
import type { PlaybackPlan } from './plan.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, type RunningProgram, runProgram } from './program.ts'
import { CLOCK } from './timeline.ts'
import type { ClipWindow } from './window.ts'

export type ExcerptFormat = 'mp4' | 'mov' | 'matroska'

/** How a part of a file can be written: as the file is. What cannot be, such as AVI, tells no times to part it by. */
export async function excerptFormats(source: string): Promise<ExcerptFormat[]> {
  const file = await open(source)
  try {
    const head = Buffer.alloc(12)
    await file.read(head, 0, 12, 0)
    if (head.readUInt32BE(0) === EBML) return ['matroska']
    return /^(ftyp|moov|mdat|wide|free|skip)$/.test(head.toString('latin1', 4, 8)) ? ['mp4', 'mov'] : []
  } finally {
    await file.close()
  }
}

const EBML = 0x1a45dfa3
/** Behind the end, so that nothing is missing that pictures before it refer to. */
const MARGIN_SECONDS = 2
/** Fragments that tell absolute times. */
const AS_FRAGMENTS = [
  '-movflags',
  '+frag_keyframe+empty_moov+default_base_moof+frag_discont',
  '-use_editlist',
  '0',
]
const AS_FILE: Record<ExcerptFormat, string[]> = {
  mp4: [...AS_FRAGMENTS, '-f', 'mp4'],
  mov: [...AS_FRAGMENTS, '-f', 'mov'],
  matroska: ['-f', 'matroska'],
}

/**
 * Copies the part of a file that a window of it needs, times and all: from the key picture before it to a little behind
 * it. The file that it writes to its standard output plays by the same window as the whole.
 */
export function takeExcerpt(
  tools: MediaTools,
  { source, plan, window, format }: ExcerptOrder,
): RunningProgram {
  const { stream, zero, timeBase } = plan.source
  const begin = (window.start - (zero * timeBase.num) / timeBase.den) * CLOCK
  const { seek } = plan.segments.findLast(({ start }) => start <= Math.max(0, begin - CLOCK))!
  const place = seek === undefined ? [] : ['-seek_timestamp', '1', '-ss', `${seek}us`, '-noaccurate_seek']
  return runProgram(tools, {
    program: 'ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-copyts', ...INPUT_GUARDS, ...place, '-i', source],
      ...[stream, ...plan.audio.map((audio) => audio.stream)].flatMap((index) => ['-map', `0:${index}`]),
      ...['-c', 'copy', '-copypriorss', '1', '-to', (window.end + MARGIN_SECONDS).toFixed(6)],
      ...['-map_chapters', '-1', '-avoid_negative_ts', 'disabled', '-strict', '-2'],
      ...['-max_interleave_delta', '0', ...AS_FILE[format], 'pipe:1'],
    ],
    inputs: [source],
    cpuSeconds: 300,
    memoryBytes: 4 * 2 ** 30,
  })
}

interface ExcerptOrder {
  source: string
  plan: PlaybackPlan
  window: ClipWindow
  format: ExcerptFormat
}
