import { avifSequence } from './avif-sequence.ts'
import { type MediaTools, outputOf } from './program.ts'
import { PIPED } from './stills.ts'
import { CLOCK } from './timeline.ts'

export type PreviewFormat = 'webp' | 'avif'

/** What a preview may ask for. Whoever wants more wants the video. */
export const PREVIEW_LIMITS = {
  seconds: { usual: 4, most: 10 },
  width: { least: 16, usual: 320, most: 640 },
  framesPerSecond: { usual: 10, most: 30 },
}

/** A stretch of some segments as a picture that moves. */
export interface MovingPreview {
  format: PreviewFormat
  /** In ticks of the presentation's clock. */
  start: number
  end: number
  width: number
  height: number
  framesPerSecond: number
}

const LIMITS = { cpuSeconds: 120, memoryBytes: 6 * 2 ** 30 }
const MAX_BYTES = 32 * 2 ** 20

const ENCODERS: Record<PreviewFormat, string[]> = {
  // Through red, green and blue, which has the colours right whatever matrix the video has.
  webp: [
    ...['-pix_fmt', 'bgra', '-c:v', 'libwebp_anim', '-quality', '60', '-compression_level', '3'],
    ...['-loop', '0', '-f', 'webp', 'pipe:1'],
  ],
  avif: [
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8'],
    ...['-crf', '34', '-b:v', '0', '-g', '1000', '-lag-in-frames', '0'],
    // What describes it comes once a picture is there: only then does the encoder tell.
    ...['-f', 'mp4', '-movflags', '+frag_keyframe+delay_moov+default_base_moof', 'pipe:1'],
  ],
}

/** Makes a preview of segments, which come behind their initialisation segment. */
export async function movingPreview(
  tools: MediaTools,
  media: Buffer[],
  { format, start, end, width, height, framesPerSecond }: MovingPreview,
): Promise<Buffer> {
  const even = (value: number) => Math.max(2, 2 * Math.round(value / 2))
  // At least one, of whatever stretch: also of a film that has no other.
  const frames = Math.max(1, Math.round(((end - start) / CLOCK) * framesPerSecond))
  const filters = [
    `settb=1/${CLOCK}`,
    // The picture that is on at the start began before it.
    `setpts=PTS-${start}`,
    // The last picture stays on: it counts where the stretch begins after it did.
    'tpad=stop_mode=clone:stop_duration=2',
    `fps=${framesPerSecond}:start_time=0`,
    `trim=end_frame=${frames}`,
    `scale=${even(width)}:${even(height)}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
    'setsar=1',
  ]
  const args = ['-v', 'error', '-copyts', ...PIPED, '-i', 'pipe:0', '-vf', filters.join(',')]
  const run = { program: 'ffmpeg' as const, inputs: [], stdin: media, ...LIMITS }
  const made = await outputOf(tools, { ...run, args: [...args, ...ENCODERS[format]] }, MAX_BYTES)
  return format === 'avif' ? avifSequence(made) : made
}
