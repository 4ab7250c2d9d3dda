import { MediaProgramFailed, UnsupportedVideo } from './errors.ts'
import { prepared, scaled } from './picture-filters.ts'
import type { PlaybackPlan } from './plan.ts'
import { CONTAINERS, INPUT_GUARDS } from './probe.ts'
import { type MediaTools, outputOf } from './program.ts'
import { CLOCK } from './timeline.ts'

/** Of a film that has none, all that are listed are tried: that must not take long either. */
const LIMITS = { cpuSeconds: 30, memoryBytes: 6 * 2 ** 30 }
const MAX_BYTES = 64 * 2 ** 20
const POSTER_SIDE = 1080
const AS_JPEG = ['-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p', '-f', 'image2pipe', 'pipe:1']

/** A picture from early in the video as JPEG: late enough to be past a fade-in, near enough to be quick. */
export async function posterFrame(
  tools: MediaTools,
  { source, plan, width, height }: { source: string; plan: PlaybackPlan; width: number; height: number },
  signal?: AbortSignal,
): Promise<Buffer> {
  const { timeBase, zero, stream } = plan.source
  const late = plan.segments.length > 2 ? plan.segments[1] : undefined
  const early = Math.round((Math.min(CLOCK, plan.end / 3) * timeBase.den) / timeBase.num / CLOCK)
  const size = fitted({ width, height }, POSTER_SIDE)
  const first = late && !late.held ? late.from : zero + early
  const place =
    late?.seek === undefined ? [] : ['-seek_timestamp', '1', '-ss', `${late.seek}us`, '-noaccurate_seek']
  const look = (from: number, seek: string[]) => {
    // As for the renditions: what cannot be made of the first picture cannot be made of any.
    const steps = [`trim=start_pts=${from}`, ...prepared(plan.source), ...scaled(size, plan.source)]
    const args = ['-nostdin', '-v', 'fatal', '-copyts', ...INPUT_GUARDS, ...seek, '-i', source]
    const output = [
      '-map',
      `0:${stream}`,
      '-vf',
      steps.join(','),
      '-frames:v',
      '1',
      '-fps_mode',
      'passthrough',
    ]
    return picture(tools, { args: [...args, ...output, ...AS_JPEG], inputs: [source], signal })
  }
  const found = (await look(first, place)) ?? (await look(zero, []))
  if (!found) throw new UnsupportedVideo('none of its pictures can be decoded')
  return found
}

/** One picture out of a segment, by its time on the presentation's clock. */
export async function frameOfSegment(tools: MediaTools, media: Buffer[], time: number): Promise<Buffer> {
  const found = await picture(tools, {
    args: [
      ...['-v', 'error', '-copyts', ...PIPED, '-i', 'pipe:0'],
      ...['-vf', `settb=1/${CLOCK},select=eq(pts\\,${time})`, '-frames:v', '1', '-fps_mode', 'passthrough'],
      ...AS_JPEG,
    ],
    stdin: media,
    inputs: [],
  })
  if (!found) throw new MediaProgramFailed('the segment has no such picture')
  return found
}

export interface Sheet {
  columns: number
  rows: number
  tileWidth: number
  tileHeight: number
  /** Ticks from one tile to the next. */
  interval: number
}

/** Tiles in rows, the first picture at or after each multiple of the interval; black where there is none. */
export async function spriteSheet(tools: MediaTools, media: Buffer[], sheet: Sheet): Promise<Buffer> {
  const { columns, rows, tileWidth, tileHeight, interval } = sheet
  const nth = (time: string) => `floor((${time}+2)/${interval})`
  const select = `select=isnan(prev_selected_pts)+gt(${nth('pts')}\\,${nth('prev_selected_pts')})`
  const found = await picture(tools, {
    args: [
      ...['-v', 'error', '-copyts', ...PIPED, '-i', 'pipe:0', '-vf'],
      [
        `settb=1/${CLOCK}`,
        select,
        `scale=${tileWidth}:${tileHeight}`,
        'setsar=1',
        `tile=${columns}x${rows}`,
      ].join(','),
      ...['-frames:v', '1', '-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '4'],
      ...['-pix_fmt', 'yuvj420p', '-f', 'image2pipe', 'pipe:1'],
    ],
    stdin: media,
    inputs: [],
  })
  if (!found) throw new MediaProgramFailed('no picture for the storyboard')
  return found
}

/** An MP4 on the standard input, and nothing else. */
export const PIPED = ['-protocol_whitelist', 'pipe', '-format_whitelist', CONTAINERS, '-f', 'mp4']

async function picture(
  tools: MediaTools,
  run: { args: string[]; inputs: string[]; stdin?: Buffer[]; signal?: AbortSignal },
): Promise<Buffer | undefined> {
  const bytes = await outputOf(tools, { program: 'ffmpeg', ...run, ...LIMITS }, MAX_BYTES).catch((error) => {
    if (run.signal?.aborted || !(error instanceof MediaProgramFailed)) throw error
    return undefined
  })
  return bytes && bytes.length > 0 ? bytes : undefined
}

/** No larger than it is, with the shorter side at most so long. */
export function fitted(
  { width, height }: { width: number; height: number },
  side: number,
): { width: number; height: number } {
  const scale = Math.min(1, side / Math.min(width, height))
  const whole = (value: number) => Math.max(2, 2 * Math.round((value * scale) / 2))
  return { width: whole(width), height: whole(height) }
}
