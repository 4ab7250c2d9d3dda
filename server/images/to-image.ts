import type { CdnUrl } from '../base/cdn-url.ts'
import { saidOf } from '../base/media.ts'
import { toFile } from '../uploads/index.ts'
import type { Image } from './schemas.ts'
import type { ImageFacts, ImageRow } from './store.ts'

/** An image around its file, as images, videos and posts show it. */
export function toImage<File>(image: ImageFacts, file: File) {
  const { id, width, height, thumbhash, attached_to_video } = image
  return { id, file, width, height, thumbhash, attached_to_video }
}

export function imageOf(row: ImageRow, cdnUrl: CdnUrl): Image {
  const { created_at, updated_at, focal_x: x, focal_y: y } = row
  const file = { ...toFile({ ...row, id: row.file_id }, cdnUrl), created_at, updated_at }
  return { ...toImage(row, file), ...saidOf(row), ...pointAt(x, y) }
}

const pointAt = (x: number | null, y: number | null) =>
  x === null || y === null ? undefined : { focal_point: { x, y } }
