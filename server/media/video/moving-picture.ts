import { TONE_MAPPING } from './picture-filters.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, outputOf } from './program.ts'

const LIMITS = { cpuSeconds: 120, memoryBytes: 4 * 2 ** 30 }
const MAX_BYTES = 128 * 2 ** 20
/** Its pictures are encoded once more: nothing that can be seen is to be lost before. */
const QUALITY = '95'

const TRANSFERS = { pq: 'smpte2084', hlg: 'arib-std-b67' }
const PRIMARIES = { bt2020: 'bt2020', p3: 'smpte432', bt709: 'bt709' }

interface WantedPictures {
  hasAlpha: boolean
  hdr: { transfer: keyof typeof TRANSFERS; primaries: keyof typeof PRIMARIES } | undefined
}

/**
 * The pictures of an AVIF that moves as an animated WebP, with their times. The image library reads only the first of them,
 * or none. Throws MediaProgramFailed.
 */
export function asAnimatedWebp(
  tools: MediaTools,
  source: string,
  { hasAlpha, hdr }: WantedPictures,
): Promise<Buffer> {
  // Its transparency, if any, is lost with high dynamic range, as that of a picture which stands still is.
  const mapped =
    hdr && `setparams=color_primaries=${PRIMARIES[hdr.primaries]}:color_trc=${TRANSFERS[hdr.transfer]}`
  const pictures = mapped
    ? ['-map', '0:v:0', '-vf', [mapped, ...TONE_MAPPING].join(',')]
    : hasAlpha
      ? ['-filter_complex', '[0:v:1]format=gray[a];[0:v:0]format=gbrp[p];[p][a]alphamerge[m]', '-map', '[m]']
      : ['-map', '0:v:0']
  const encoder = ['-c:v', 'libwebp_anim', '-quality', QUALITY, '-compression_level', '1', '-loop', '0']
  return outputOf(
    tools,
    {
      program: 'ffmpeg',
      args: [
        ...['-nostdin', '-v', 'error', '-xerror', ...INPUT_GUARDS, '-i', source, ...pictures],
        ...['-fps_mode', 'passthrough', '-pix_fmt', 'bgra', ...encoder, '-f', 'webp', 'pipe:1'],
      ],
      inputs: [source],
      ...LIMITS,
    },
    MAX_BYTES,
  )
}
