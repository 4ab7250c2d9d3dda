import { UnsupportedImage } from '../errors.ts'

export const MAX_PIXELS = 50_000_000
/** On one side. AVIF and WebP end here, and libraries take time by rows as well as by pixels. */
export const MAX_SIDE = 16_384

/** Cameras and editors write about ten, the finest scripts some twenty; each is one more pass over all of the pixels. */
export const MAX_SCANS = 100
export const MAX_FRAMES = 2_000
/** Of all frames of what moves. */
export const MAX_MOVING_PIXELS = 2 * MAX_PIXELS
/** A phone makes 48 of 12 megapixels. */
export const MAX_TILES = 1_024
/** What tiles hang over the edge may be as much as the picture itself. */
export const MAX_CODED_PIXELS = 2 * MAX_PIXELS
/** Texts of a PNG, each of which may unpack to megabytes. */
export const MAX_TEXTS = 100
/** Chunks, segments or boxes of a file; a PNG of 100 MB in pieces of 8 KB has 13,000. */
export const MAX_PARTS = 100_000
export const MAX_PROFILE_BYTES = 4 * 2 ** 20
export const MAX_EXIF_BYTES = 2 ** 20

export interface Sides {
  width: number
  height: number
}

export function refuseTooLarge({ width, height }: Sides): void {
  if (width * height > MAX_PIXELS) {
    const megapixels = Math.ceil((width * height) / 1e6)
    throw new UnsupportedImage(
      `the image has ${megapixels} megapixels; at most ${MAX_PIXELS / 1e6} are taken`,
    )
  }
  if (Math.max(width, height) > MAX_SIDE)
    throw new UnsupportedImage(
      `the image has ${width} x ${height} pixels; at most ${MAX_SIDE} on a side are taken`,
    )
}

export function refuseMovingTooMuch({ width, height }: Sides, frames: number): void {
  const pixels = width * height * frames
  if (frames > 1 && pixels > MAX_MOVING_PIXELS)
    throw new UnsupportedImage(
      `the image has ${Math.ceil(pixels / 1e6)} megapixels in ${frames} frames; at most ${MAX_MOVING_PIXELS / 1e6} are taken`,
    )
}

export function refuseMoreThan(most: number, count: number, what: string): void {
  if (count > most) throw new UnsupportedImage(`the image has more than ${most} ${what}`)
}

export function refuseLongerThan(mostBytes: number, bytes: number, what: string): void {
  if (bytes > mostBytes)
    throw new UnsupportedImage(`the ${what} of the image has more than ${mostBytes / 2 ** 20} MB`)
}
