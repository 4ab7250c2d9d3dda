import type { VideoStream } from './description.ts'

/**
 * How the pictures of a file are to be understood: as it says, where that can be, and as most files mean it
 * where it says nothing, something unknown or what contradicts itself. Named as ffmpeg names them.
 */
export interface Colours {
  matrix: string
  primaries: string
  transfer: string
  /** Not luma and chroma, but red, green and blue. */
  rgb: boolean
}

const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67']
const RGB_FORMAT = /^(gbr|rgb|bgr|[a0x](rgb|bgr)|x2(rgb|bgr)|pal8|bayer)/
/** What players and encoders take as it is. */
const PLAIN_MATRICES = ['bt709', 'bt470bg', 'smpte170m', 'smpte240m', 'bt2020nc']
/** What has to be made into one of them first, since many players would show it in wrong colours. */
const ODD_MATRICES = ['fcc', 'ycgco']
const PRIMARIES = [
  ...['bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'film', 'bt2020'],
  ...['smpte428', 'smpte431', 'smpte432', 'ebu3213'],
]
const TRANSFERS = [
  ...['bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'linear', 'iec61966-2-4', 'iec61966-2-1'],
  ...['bt2020-10', 'bt2020-12', ...HDR_TRANSFERS],
]
const UNKNOWN = 'unknown'

export function isHdr(transfer: string): boolean {
  return HDR_TRANSFERS.includes(transfer)
}

/** Whether players show them as they are meant, where they are not touched. */
export function hasPlainColours({ matrix, transfer }: VideoStream): boolean {
  return ['', UNKNOWN, ...PLAIN_MATRICES].includes(matrix) && !isHdr(transfer)
}

export function coloursOf({ pixelFormat, ...tags }: VideoStream): Colours {
  const rgb = RGB_FORMAT.test(pixelFormat)
  const hdr = isHdr(tags.transfer)
  const known = (tag: string, all: string[], otherwise: string) => (all.includes(tag) ? tag : otherwise)
  return {
    matrix: rgb
      ? 'gbr'
      : known(tags.matrix, [...PLAIN_MATRICES, ...ODD_MATRICES], hdr ? 'bt2020nc' : UNKNOWN),
    primaries: known(tags.primaries, PRIMARIES, hdr ? 'bt2020' : UNKNOWN),
    transfer: known(tags.transfer, TRANSFERS, UNKNOWN),
    rgb,
  }
}

/** Filters after which pictures have a plain matrix or, where they are HDR, one that can be mapped. */
export function understood({ matrix, primaries, transfer, rgb }: Colours, hdr: boolean): string[] {
  const tagged = (space: string) =>
    `setparams=colorspace=${space}:color_primaries=${primaries}:color_trc=${transfer}`
  // The quick scaler takes planes only; the other one makes what everybody takes of red, green and blue.
  if (rgb && hdr) return ['format=gbrp16le', tagged('gbr')]
  if (rgb) return ['scale=out_color_matrix=bt709:out_range=tv', 'format=yuv444p', tagged('bt709')]
  if (!ODD_MATRICES.includes(matrix)) return [tagged(matrix)]
  // Halved chroma of odd sizes is more than the converter takes.
  return ['format=yuv444p', tagged(matrix), `zscale=matrixin=${matrix}:matrix=bt709`]
}
