import sharp, { type Sharp } from 'sharp'
import type { FocalPoint } from '../port.ts'
import type { ImageTask, Result } from '../protocol.ts'
import { type Area, beforeTurning, boxWithin, isTurned, pointWithin, windowAround } from './geometry.ts'
import { blaming, framesOf, type OpenImage, openImage } from './open-image.ts'
import { withPlainProfile } from './profile.ts'

type ResizeTask = Extract<ImageTask, { operation: 'resize' }>

/** Above this, an exact blur takes longer than anything else that is done to a picture. */
const EXACT_BLUR = 3

export async function resize(bytes: Buffer, task: ResizeTask): Promise<Result & { data: Buffer }> {
  const opened = await openImage(bytes, task.source)
  const image = task.format === 'webp' || task.format === 'gif' ? opened : { ...opened, moving: undefined }
  const work = async () => {
    const sized = await atSize(image, task)
    const turned = task.rotate || task.flip ? await turn(image, sized, task) : sized
    return encode(image, polished(turned, task), task).toBuffer({ resolveWithObject: true })
  }
  const { data, info } = await (image.decodesLate ? blaming(image.format, work) : work())
  return {
    data: keepsProfile(image, task) ? withPlainProfile(data, image.profile) : data,
    width: info.width,
    height: info.pageHeight ?? info.height,
    hasAlpha: info.channels === 4,
    moves: image.moving !== undefined,
    thumbhash: '',
  }
}

/** The picture, or all of what moves, in its size: trimmed, shrunk and cut, and not yet turned. */
async function atSize(image: OpenImage, task: ResizeTask): Promise<Sharp> {
  const area = task.trim === undefined ? undefined : await trimmed(image, task.trim)
  const start = () => (area ? framesOf(image).extract(area) : framesOf(image))
  const sides = area ?? image
  const box = boxWithin(sides, task)
  if (box.fit !== 'cover') return start().resize({ ...box, withoutEnlargement: true })
  const gravity = beforeTurning(task.gravity ?? 'center', task)
  if (typeof gravity === 'string' && gravity !== 'smart') return start().resize({ ...box, position: gravity })
  if (gravity === 'smart' && !image.moving)
    return start().resize({ ...box, position: sharp.strategy.attention })
  const point =
    gravity === 'smart'
      ? await attentionOf(area ? image.start().extract(area) : image.start(), box)
      : area
        ? pointWithin(gravity, image, area)
        : gravity
  const { outer, window } = windowAround(sides, box, point)
  return start()
    .resize({ ...outer, fit: 'fill' })
    .extract(window)
}

/** The smallest picture that has a border around something. */
const LEAST_TRIMMED = 3

/** Where a border of one colour ends. Of what moves, all that any of its pictures shows is kept. */
async function trimmed(image: OpenImage, threshold: number): Promise<Area | undefined> {
  if (Math.min(image.width, image.height) < LEAST_TRIMMED) return undefined
  // Upright first: a trim in the same pass would come before the turn.
  const { pictures } = await picturesOf(framesOf(image))
  let kept: Area | undefined
  for (const picture of pictures) {
    const { info } = await picture.trim({ threshold }).raw().toBuffer({ resolveWithObject: true })
    const { width, height, trimOffsetLeft = 0, trimOffsetTop = 0 } = info
    kept = around(kept, { left: Math.abs(trimOffsetLeft), top: Math.abs(trimOffsetTop), width, height })
  }
  return kept
}

/** One picture of what moves after the other, which lie in one strip; or the one there is. */
async function picturesOf(strip: Sharp) {
  const { data, info } = await strip.raw().toBuffer({ resolveWithObject: true })
  const { width, channels, pageHeight: height = info.height } = info
  const bytes = width * height * channels
  const count = Math.floor(data.length / bytes)
  const at = (i: number) => data.subarray(i * bytes, (i + 1) * bytes)
  const pictures = Array.from({ length: count }, (_, i) => sharp(at(i), { raw: { width, height, channels } }))
  return { pictures, width, height, channels }
}

/** The area that holds both. */
function around(one: Area | undefined, other: Area): Area {
  if (!one) return other
  const left = Math.min(one.left, other.left)
  const top = Math.min(one.top, other.top)
  return {
    left,
    top,
    width: Math.max(one.left + one.width, other.left + other.width) - left,
    height: Math.max(one.top + one.height, other.top + other.height) - top,
  }
}

/** The middle of what is kept of the first picture: the others are cut at the same place, or it would jump. */
async function attentionOf(first: Sharp, box: { width: number; height: number }): Promise<FocalPoint> {
  const { data, info } = await first.raw().toBuffer({ resolveWithObject: true })
  const { info: kept } = await sharp(data, { raw: info })
    .resize({ ...box, fit: 'cover', position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const scale = Math.max(box.width / info.width, box.height / info.height)
  const middle = (offset: number | undefined, side: number, whole: number) =>
    (Math.abs(offset ?? 0) + side / 2) / (whole * scale)
  return {
    x: middle(kept.cropOffsetLeft, box.width, info.width),
    y: middle(kept.cropOffsetTop, box.height, info.height),
  }
}

/** Turns and mirrors what has its size by now, one picture of what moves after the other. */
async function turn(image: OpenImage, sized: Sharp, task: ResizeTask): Promise<Sharp> {
  if (!image.moving) {
    // The profile goes along until the picture is encoded for good.
    const kept = keepsProfile(image, task) ? sized.keepIccProfile() : sized
    return turnOne(sharp(await kept.png({ compressionLevel: 0 }).toBuffer()), task)
  }
  const { pictures, width, height, channels } = await picturesOf(sized)
  const turned: Buffer[] = []
  for (const picture of pictures) turned.push(await turnOne(picture, task).raw().toBuffer())
  const [w, h] = isTurned(task) ? [height, width] : [width, height]
  return sharp(Buffer.concat(turned), {
    raw: { width: w, height: h * turned.length, channels, pageHeight: h },
    limitInputPixels: false,
  })
}

/** In one pass it is mirrored first: of a picture that then lies on its side, the other way round. */
function turnOne(picture: Sharp, { rotate, flip }: ResizeTask): Sharp {
  const isAcross = isTurned({ rotate })
  const both = flip === 'both'
  return picture
    .rotate(rotate ?? 0)
    .flop(both || flip === (isAcross ? 'v' : 'h'))
    .flip(both || flip === (isAcross ? 'h' : 'v'))
}

function polished(pipeline: Sharp, { blur, sharpen, background, format }: ResizeTask): Sharp {
  const paper = background ?? (format === 'jpg' ? '#ffffff' : undefined)
  if (paper) pipeline.flatten({ background: paper })
  if (blur !== undefined)
    pipeline.blur({ sigma: blur, precision: blur > EXACT_BLUR ? 'approximate' : 'integer' })
  if (sharpen !== undefined) pipeline.sharpen({ sigma: sharpen })
  return pipeline
}

const keepsProfile = ({ profile }: OpenImage, { format }: ResizeTask) =>
  format === 'avif' && profile !== undefined

function encode(image: OpenImage, pipeline: Sharp, task: ResizeTask): Sharp {
  const { format, quality, lossless = false } = task
  // Told again where the strip was put together anew.
  const timing = image.moving ?? {}
  switch (format) {
    case 'avif':
      return (keepsProfile(image, task) ? pipeline.keepIccProfile() : pipeline).avif({
        quality: quality ?? 60,
        effort: 0,
        lossless,
      })
    case 'webp':
      return pipeline.webp({ quality: quality ?? 80, lossless, ...timing })
    case 'jpg':
      return pipeline.jpeg({ quality: quality ?? 80 })
    case 'png':
      return pipeline.png({ compressionLevel: 6 })
    case 'gif':
      return pipeline.gif({ effort: 3, ...timing })
  }
}
