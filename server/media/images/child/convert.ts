import { rgbaToThumbHash } from 'thumbhash'
import type { Result, Task } from '../protocol.ts'
import { blaming, decodeOnce, type OpenImage, openImage } from './open-image.ts'

const QUALITY = 60
// From here on nobody sees the difference, and full colour would need half as much memory again.
const HALF_COLOUR_PIXELS = 16_000_000

export async function convert(
  bytes: Buffer,
  { source, effort, quality = QUALITY }: Extract<Task, { operation: 'convert' }>,
): Promise<Result & { data: Buffer }> {
  const image = await decodeOnce(await openImage(bytes, source))
  const work = () => Promise.all([encode(image, effort, quality), thumbhash(image)])
  const [{ data, info }, hash] = await (image.decodesLate ? blaming(source, work) : work())
  return { data, width: info.width, height: info.height, hasAlpha: image.hasAlpha, thumbhash: hash }
}

function encode(image: OpenImage, effort: number, quality: number) {
  const halfColour = image.halfColour || image.width * image.height > HALF_COLOUR_PIXELS
  const pipeline = image.keepsProfile ? image.start().keepIccProfile() : image.start()
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
