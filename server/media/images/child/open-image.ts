import sharp, { type Sharp } from 'sharp'
import { UnsupportedImage } from '../errors.ts'
import { inspect } from '../inspect/inspect.ts'
import { MAX_PIXELS, refuseTooLarge } from '../inspect/limits.ts'
import type { ImageFormat } from '../sniff.ts'
import { decodeHeic } from './heic.ts'
import { type Pixels, pngWithProfile } from './pixels.ts'
import { isRgbProfile, isWideGamut } from './profile.ts'

export interface OpenImage {
  format: ImageFormat
  /** A new pipeline over the upright image. */
  start(): Sharp
  /** As shown. */
  width: number
  height: number
  hasAlpha: boolean
  /** Whether its colours do not fit into sRGB, so that its profile has to travel along. */
  keepsProfile: boolean
  /** Whether it holds colour at half the resolution already, as most photos do. */
  halfColour: boolean
  /** Whether errors while it is worked on may still be the file's fault. */
  decodesLate: boolean
}

const INPUT = { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true } as const

export async function openImage(bytes: Buffer, format: ImageFormat): Promise<OpenImage> {
  return blaming(format, async () => {
    inspect(bytes, format)
    return format === 'heic' ? openHeic(bytes) : openOther(bytes, format)
  })
}

/** Everything is decoded by now, once, unless only the file itself can carry the profile along. */
export async function decodeOnce(image: OpenImage): Promise<OpenImage> {
  if (image.keepsProfile || !image.decodesLate) return image
  const { data, info } = await blaming(image.format, () =>
    image.start().raw().toBuffer({ resolveWithObject: true }),
  )
  return { ...image, ...overPixels({ data, ...info }) }
}

/** Runs what decodes: an error is the file's fault, and said so in words of our own. */
export async function blaming<T>(format: ImageFormat, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnsupportedImage) throw error
    throw new UnsupportedImage(`the ${NAMES[format]} is cut off or damaged`)
  }
}

const NAMES = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP', heic: 'HEIC', avif: 'AVIF' }

async function openOther(bytes: Buffer, format: ImageFormat): Promise<OpenImage> {
  // Only the header is read here, so that an image that is too large is told its size.
  const found = await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata()
  refuseTooLarge(found)
  // sharp turns 16-bit pixels that have a profile into Display P3 and forgets to say so.
  const isDeep = found.depth === 'ushort' && found.icc !== undefined && isRgbProfile(found.icc)
  return {
    format,
    start: () => sharp(bytes, INPUT),
    ...found.autoOrient,
    hasAlpha: found.hasAlpha,
    keepsProfile: isDeep || isWideGamut(found.icc),
    halfColour: found.chromaSubsampling === '4:2:0',
    decodesLate: true,
  }
}

async function openHeic(bytes: Buffer): Promise<OpenImage> {
  const { profile, ...pixels } = decodeHeic(bytes)
  const common = { format: 'heic', hasAlpha: pixels.channels === 4, halfColour: true } as const
  if (!profile || !isWideGamut(profile)) return { ...common, keepsProfile: false, ...overPixels(pixels) }
  const png = pngWithProfile(pixels, profile)
  return { ...common, keepsProfile: true, ...overPixels(pixels), start: () => sharp(png, INPUT) }
}

function overPixels({ data, width, height, channels }: Pixels) {
  const raw = { width, height, channels }
  return { start: () => sharp(data, { raw }), width, height, decodesLate: false }
}
