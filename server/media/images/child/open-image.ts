import sharp, { type Metadata, type Sharp } from 'sharp'
import { UnsupportedImage } from '../errors.ts'
import { colourCodesOf } from '../inspect/heic.ts'
import { inspect } from '../inspect/inspect.ts'
import { MAX_MOVING_PIXELS, MAX_PIXELS, refuseMovingTooMuch, refuseTooLarge } from '../inspect/limits.ts'
import type { ImageFormat } from '../sniff.ts'
import { type Hdr, hdrOf, toneMapped } from './hdr.ts'
import { decodeHeic } from './heic.ts'
import { type Pixels, pngWithProfile } from './pixels.ts'
import { isRgbProfile, isWideGamut, type KeptProfile, plainProfile } from './profile.ts'

export interface OpenImage {
  format: ImageFormat
  /** A new pipeline over the upright image, or over the first picture of what moves. */
  start(): Sharp
  /** How what moves is shown, and a new pipeline over all of it. */
  moving: (FrameTiming & { start(): Sharp }) | undefined
  /** As shown. */
  width: number
  height: number
  hasAlpha: boolean
  /** Where its colours do not fit into sRGB, so that its profile has to travel along. */
  profile: KeptProfile | undefined
  /** Whether it holds colour at half the resolution already, as most photos do. */
  halfColour: boolean
  /** Whether errors while it is worked on may still be the file's fault. */
  decodesLate: boolean
}

export interface FrameTiming {
  /** Milliseconds of each picture. */
  delay: number[]
  /** How often; 0 for ever. */
  loop: number
}

const INPUT = { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true } as const

export async function openImage(bytes: Buffer, format: ImageFormat): Promise<OpenImage> {
  return blaming(format, async () => {
    inspect(bytes, format)
    if (format === 'heic') return openHeic(bytes)
    const hdr = format === 'avif' ? hdrOf(colourCodesOf(bytes)) : undefined
    return hdr ? openHdrAvif(bytes, hdr) : openOther(bytes, format)
  })
}

/** A new pipeline over all there is. */
export const framesOf = (image: OpenImage) => (image.moving ?? image).start()

/** Everything is decoded by now, once, unless only the file itself can carry the profile along. */
export async function decodeOnce(image: OpenImage): Promise<OpenImage> {
  if (image.profile || image.moving || !image.decodesLate) return image
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

const NAMES = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP', gif: 'GIF', heic: 'HEIC', avif: 'AVIF' }

async function openOther(bytes: Buffer, format: ImageFormat): Promise<OpenImage> {
  // Only the header is read here, so that an image that is too large is told its size.
  const found = await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata()
  refuseTooLarge(found)
  const moving = movingOf(bytes, found)
  // sharp turns 16-bit pixels that have a profile into Display P3 and forgets to say so.
  const isDeep = found.depth === 'ushort' && found.icc !== undefined && isRgbProfile(found.icc)
  return {
    format,
    start: () => sharp(bytes, INPUT),
    moving,
    ...found.autoOrient,
    hasAlpha: found.hasAlpha,
    profile: isDeep || isWideGamut(found.icc) ? plainProfile(found.icc) : undefined,
    halfColour: found.chromaSubsampling === '4:2:0',
    decodesLate: true,
  }
}

function movingOf(bytes: Buffer, found: Metadata): OpenImage['moving'] {
  const { width, height, pages = 1, delay = [], loop = 0 } = found
  // Some AVIF have several pictures too, which are not one after the other.
  if (pages < 2 || (found.format !== 'gif' && found.format !== 'webp')) return undefined
  refuseMovingTooMuch({ width, height }, pages)
  const options = { ...INPUT, autoOrient: false, pages: -1, limitInputPixels: MAX_MOVING_PIXELS }
  return { delay, loop, start: () => sharp(bytes, options) }
}

async function openHeic(bytes: Buffer): Promise<OpenImage> {
  const { profile, ...pixels } = decodeHeic(bytes)
  const common = {
    format: 'heic',
    hasAlpha: pixels.channels === 4,
    halfColour: true,
    moving: undefined,
    ...overPixels(pixels),
  } as const
  const kept = isWideGamut(profile) ? plainProfile(profile) : undefined
  if (!kept) return { ...common, profile: undefined }
  const png = pngWithProfile(pixels, kept.original)
  return { ...common, profile: kept, start: () => sharp(png, INPUT) }
}

/** An AVIF in high dynamic range, brought into that of a usual screen. Its transparency, if any, is lost. */
async function openHdrAvif(bytes: Buffer, hdr: Hdr): Promise<OpenImage> {
  refuseTooLarge(await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata())
  const { data, info } = await sharp(bytes, INPUT)
    .pipelineColourspace('rgb16')
    .removeAlpha()
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const samples = { start: 0, stride: width * 6, width, height, bits: 16 }
  return {
    format: 'avif',
    hasAlpha: false,
    halfColour: true,
    moving: undefined,
    profile: undefined,
    ...overPixels({ data: toneMapped(data, samples, hdr), width, height, channels: 3 }),
  }
}

function overPixels({ data, width, height, channels }: Pixels) {
  const raw = { width, height, channels }
  return { start: () => sharp(data, { raw }), width, height, decodesLate: false }
}
