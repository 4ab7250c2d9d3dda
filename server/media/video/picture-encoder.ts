import type { VideoRendition } from './plan.ts'
import { CLOCK } from './timeline.ts'

/** With the profile to encode it in where it takes the place of a copy. */
export type EncodedRendition = VideoRendition & { inPlace?: 'baseline' | 'main' | 'high' }

/** The number of parameter sets that hardly any file has. */
const OTHER_SETS = 31

/** A rendition to be encoded whose segments fit between those of a copy. */
export function inPlaceOf(rendition: VideoRendition): EncodedRendition {
  const [profile, level] = [rendition.codec.slice(5, 7), Number.parseInt(rendition.codec.slice(9, 11), 16)]
  return { ...rendition, copied: false, level, inPlace: PROFILES[profile] ?? 'high' }
}

const PROFILES: Record<string, 'baseline' | 'main'> = { '42': 'baseline', '4d': 'main' }

/** How libx264 encodes a rendition: key pictures only where they are asked for, with the times that it is given. */
export function encoder({ maxRate, level, inPlace }: EncodedRendition): string[] {
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', inPlace ?? 'high'],
    ...(inPlace ? ['-x264-params', `sps-id=${OTHER_SETS}`] : []),
    ...['-level:v', (level / 10).toFixed(1), '-maxrate', String(maxRate), '-bufsize', String(2 * maxRate)],
    ...['-g', '100000', '-sc_threshold', '0', '-forced-idr', '1', '-bf', inPlace === 'baseline' ? '0' : '2'],
    ...['-fps_mode', 'passthrough', '-enc_time_base', `1:${CLOCK}`],
  ]
}
