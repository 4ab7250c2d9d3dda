import { MediaProgramFailed, UnsupportedVideo } from './errors.ts'
import { LISTED } from './listing.ts'
import { type MediaTools, outputOf, type RunningProgram, runProgram } from './program.ts'

/** The containers that are taken, as ffmpeg calls the readers of them. Nothing else is ever opened. */
export const CONTAINERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi'
/**
 * Before every input: no network, no other files, no formats that name other files, and no picture of
 * which only the beginning is there.
 */
export const INPUT_GUARDS = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS],
  ...['-fflags', '+discardcorrupt'],
]

const MAX_STREAMS = 64
const PROBE_GUARDS = [...INPUT_GUARDS, '-max_streams', String(MAX_STREAMS)]
const MAX_DESCRIPTION_BYTES = 16 * 2 ** 20
/** Enough for an index of some millions of samples. */
const LIMITS = { memoryBytes: 2 ** 30 }

/** What ffprobe tells of a file, in JSON. Throws UnsupportedVideo. */
export async function describeVideo(tools: MediaTools, path: string, signal: AbortSignal): Promise<Buffer> {
  const sections = ['-show_format', '-show_streams', '-show_chapters']
  const args = ['-v', 'error', ...PROBE_GUARDS, '-of', 'json=c=1', ...sections, '-i', path]
  const run = { program: 'ffprobe' as const, args, inputs: [path], cpuSeconds: 60, signal, ...LIMITS }
  try {
    return await outputOf(tools, run, MAX_DESCRIPTION_BYTES)
  } catch (error) {
    if (signal.aborted || !(error instanceof MediaProgramFailed)) throw error
    if (error.message.includes('max_streams'))
      throw new UnsupportedVideo(`it has more than ${MAX_STREAMS} streams`)
    throw new UnsupportedVideo('it is not a readable MP4, MOV, AVI, WebM or MKV file')
  }
}

/** Lists the pictures of the first video stream that is not a cover picture, by reading the whole file. */
export function listPictures(tools: MediaTools, path: string, signal: AbortSignal): RunningProgram {
  const args = ['-v', 'error', ...PROBE_GUARDS, '-of', 'compact=p=0:nk=1', '-select_streams', 'V:0']
  return runProgram(tools, {
    program: 'ffprobe',
    args: [...args, '-show_entries', LISTED, '-i', path],
    inputs: [path],
    cpuSeconds: 300,
    signal,
    ...LIMITS,
  })
}
