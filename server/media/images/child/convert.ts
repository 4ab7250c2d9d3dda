import { rgbaToThumbHash } from 'thumbhash'
import type { ImageTask, Result } from '../protocol.ts'
import { blaming, decodeOnce, type OpenImage, openImage } from './open-image.ts'
import { withPlainProfile } from './profile.ts'

const QUALITY = 60
const MOVING_QUALITY = 80
const MOVING_EFFORT = 2
// From here on nobody sees the difference, and full colour would need half as much memory again.
const HALF_COLOUR_PIXELS = 16_000_000

export async function convert(
  bytes: Buffer,
  { source, effort, quality, isStill }: Extract<ImageTask, { operation: 'convert' }>,
): Promise<Result & { data: Buffer }> {
  const opened = await openImage(bytes, source)
  const image = await decodeOnce(isStill ? { ...opened, moving: undefined } : opened)
  const { moving } = image
  const encoded = () => (moving ? encodeMoving(moving, quality) : encode(image, effort, quality))
  const work = () => Promise.all([encoded(), thumbhash(image)])
  const [{ data, info }, hash] = await (image.decodesLate ? blaming(source, work) : work())
  return {
    data: moving ? data : withPlainProfile(data, image.profile),
    width: info.width,
    height: info.pageHeight ?? info.height,
    hasAlpha: image.hasAlpha,
    moves: moving !== undefined,
    thumbhash: hash,
  }
}

/** No AVIF: what the library writes of it stands still. */
function encodeMoving({ start }: NonNullable<OpenImage['moving']>, quality = MOVING_QUALITY) {
  return start().webp({ quality, effort: MOVING_EFFORT }).toBuffer({ resolveWithObject: true })
}

function encode(image: OpenImage, effort: number, quality = QUALITY) {
  const halfColour = image.halfColour || image.width * image.height > HALF_COLOUR_PIXELS
  const pipeline = image.profile ? image.start().keepIccProfile() : image.start()
  return pipeline
    .avif({ effort, quality, chromaSubsampling: halfColour ? '4:2:0' : '4:4:4' })
    .toBuffer({ resolveWithObject: true })
}

// thumbhash takes no more than 100 pixels on a side.
const THUMB = { width: 100, height: 100, fit: 'inside', withoutEnlargement: true } as const

async function thumbhash(image: OpenImage): Promise<string> {
  const { data, info } = await image
    .start()
    .resize(THUMB)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}
