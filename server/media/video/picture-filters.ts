import { understood } from './colours.ts'
import type { PlaybackPlan } from './plan.ts'

type Source = PlaybackPlan['source']

/** Brings high dynamic range into that of a usual screen. */
export const TONE_MAPPING = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
]

/** Whole pictures whose colours are plain: what comes first, once for all sizes. */
export function prepared({ interlaced, colours, hdr }: Source): string[] {
  return [...(interlaced ? ['bwdif=mode=send_frame'] : []), ...(colours ? understood(colours, hdr) : [])]
}

/** In a size, with square pixels, in the colours that every player shows. */
export function scaled({ width, height }: { width: number; height: number }, source: Source): string[] {
  const { hdr, quick } = source
  const range = hdr ? '' : quick ? ':range=limited' : ':out_range=tv'
  const size = quick
    ? `zscale=${width}:${height}:filter=bicubic:dither=ordered${range}`
    : `scale=${width}:${height}:flags=bicubic${range}`
  return [size, 'setsar=1', ...(hdr ? TONE_MAPPING : []), 'format=yuv420p']
}
