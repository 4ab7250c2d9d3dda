import { ffmpeg } from '../videos/programs.ts'
import { isHdr, isInterlaced, type VideoFacts } from './probe.ts'

const MOST_FRAMES = 150
/** A single frame may be worse than the average, but no wreck. */
const WORST_BELOW = 0.15

export const usualFloor = (height: number) => (height < 400 ? 0.9 : height < 720 ? 0.93 : 0.95)

interface Side {
  file: string
  facts: VideoFacts
}

/** That the pictures of a rendition are those of the source at the same time, and good enough. */
export async function checkLikeness(
  own: Side,
  frames: number,
  source: Side,
  floor: number,
): Promise<string[]> {
  // There is no one right way to make a bright picture fit a common screen.
  if (isHdr(source.facts)) return []
  const all = await likenesses(own, Math.ceil(frames / MOST_FRAMES), source)
  if (all.length === 0) return ['no frame could be compared with the source']
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length
  const worst = Math.min(...all)
  if (mean < floor) return [`SSIM is ${mean.toFixed(4)}, less than ${floor}`]
  if (worst < floor - WORST_BELOW) return [`SSIM of a frame is ${worst.toFixed(4)}`]
  return []
}

async function likenesses(own: Side, step: number, source: Side): Promise<number[]> {
  const { width, height, color_space: matrix } = own.facts
  const isOtherMatrix = source.facts.color_space && matrix && source.facts.color_space !== matrix
  const graph = [
    // Late by two milliseconds, so that the frame of the same time has surely come when it is looked for.
    `[0:V]settb=AVTB,setpts=PTS-STARTPTS+2000,select='not(mod(n,${step}))'[own]`,
    `[1:V]settb=AVTB,setpts=PTS-STARTPTS${isInterlaced(source.facts) ? ',bwdif=mode=send_frame' : ''},` +
      `scale=${width}:${height}:flags=bicubic:out_range=tv${isOtherMatrix ? `:out_color_matrix=${matrix}` : ''},` +
      'format=yuv420p,setsar=1[source]',
    '[own]format=yuv420p,setsar=1[a];[a][source]ssim=stats_file=-',
  ].join(';')
  const { stdout } = await ffmpeg([
    ...['-v', 'error', '-i', own.file, '-i', source.file],
    ...['-filter_complex', graph, '-vsync', 'passthrough', '-f', 'null', '-'],
  ])
  return [...stdout.toString().matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all))
}
