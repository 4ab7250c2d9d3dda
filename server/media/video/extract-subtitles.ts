import type { SubtitleStream } from './description.ts'
import { MediaProgramFailed } from './errors.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, type RunningProgram, runProgram } from './program.ts'

/** Subtitles out of a file, as WebVTT that nobody has looked into yet. */
export interface ExtractedSubtitles extends SubtitleStream {
  content: Buffer
}

const LIMITS = { cpuSeconds: 120, memoryBytes: 2 ** 30 }
/** As much as is taken where subtitles are sent by themselves. */
const MAX_BYTES = 10 * 2 ** 20

/**
 * The subtitles of a file with the times of its presentation, which begins at a second of the file's clock. What cannot
 * be read is left out: a film is not refused for it.
 */
export async function extractSubtitles(
  tools: MediaTools,
  source: string,
  { streams, zero }: { streams: SubtitleStream[]; zero: number },
): Promise<ExtractedSubtitles[]> {
  if (streams.length === 0) return []
  const outputs = streams.flatMap(({ index }, i) => [
    ...['-map', `0:${index}`, '-c:s', 'webvtt', '-output_ts_offset', (-zero).toFixed(6)],
    ...['-f', 'webvtt', `pipe:${3 + i}`],
  ])
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: ['-nostdin', '-v', 'error', '-copyts', ...INPUT_GUARDS, '-i', source, ...outputs],
    inputs: [source],
    pipes: streams.length,
    discardsOutput: true,
    ...LIMITS,
  })
  try {
    const contents = await Promise.all(streams.map((_, i) => contentOf(program, i)))
    await program.ended
    return streams.flatMap((stream, i) => (contents[i] ? [{ ...stream, content: contents[i] }] : []))
  } catch (error) {
    if (error instanceof MediaProgramFailed) return []
    throw error
  }
}

/** Undefined where there is more than anybody reads: the rest is let go by, so that the others are not kept waiting. */
async function contentOf({ pipes }: RunningProgram, i: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of pipes[i] as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_BYTES) chunks.push(chunk)
  }
  return bytes <= MAX_BYTES ? Buffer.concat(chunks) : undefined
}
