import type { Sharp } from 'sharp'
import { MAX_SIDE } from '../inspect/limits.ts'
import type { Result, Task } from '../protocol.ts'
import { blaming, type OpenImage, openImage } from './open-image.ts'

/** One less than all others: it has 14 bits for a side. */
const MAX_WEBP_SIDE = 16_383

type ResizeTask = Extract<Task, { operation: 'resize' }>

export async function resize(bytes: Buffer, task: ResizeTask): Promise<Result & { data: Buffer }> {
  const image = await openImage(bytes, task.source)
  const box = boxWithin(image, task)
  const work = () => {
    const resized = image.start().resize({ ...box, withoutEnlargement: true })
    return encode(image, resized, task).toBuffer({ resolveWithObject: true })
  }
  const { data, info } = await (image.decodesLate ? blaming(image.format, work) : work())
  return { data, width: info.width, height: info.height, hasAlpha: info.channels === 4, thumbhash: '' }
}

/** The box asked for, made smaller in proportion until the image fills it without being enlarged. */
function boxWithin(image: OpenImage, { width, height, fit, format }: ResizeTask) {
  const max = format === 'webp' ? MAX_WEBP_SIDE : MAX_SIDE
  if (fit === 'contain' || !width || !height)
    return {
      width: Math.min(width ?? max, max),
      height: Math.min(height ?? max, max),
      fit: 'inside',
    } as const
  const scale = Math.min(1, image.width / width, image.height / height, max / width, max / height)
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: scaled(width), height: scaled(height), fit } as const
}

function encode(image: OpenImage, pipeline: Sharp, { format, quality }: ResizeTask): Sharp {
  switch (format) {
    case 'avif':
      return (image.keepsProfile ? pipeline.keepIccProfile() : pipeline).avif({
        quality: quality ?? 60,
        effort: 0,
      })
    case 'webp':
      return pipeline.webp({ quality: quality ?? 80 })
    case 'jpg':
      return pipeline.flatten({ background: '#ffffff' }).jpeg({ quality: quality ?? 80 })
    case 'png':
      return pipeline.png({ compressionLevel: 6 })
  }
}
