import type { ImageFormat } from '../sniff.ts'
import { gifSides, inspectGif } from './gif.ts'
import { inspectHeic } from './heic.ts'
import { inspectJpeg, jpegSides } from './jpeg.ts'
import { refuseTooLarge, type Sides } from './limits.ts'
import { inspectPng, pngSides } from './png.ts'
import { inspectWebp, webpSides } from './webp.ts'

const SIDES: Partial<Record<ImageFormat, (head: Buffer) => Sides | undefined>> = {
  jpeg: jpegSides,
  png: pngSides,
  webp: webpSides,
  gif: gifSides,
}

const INSPECTIONS: Partial<Record<ImageFormat, (bytes: Buffer) => void>> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  webp: inspectWebp,
  gif: inspectGif,
  heic: inspectHeic,
  // The same container, and grids in it.
  avif: inspectHeic,
}

/** Refuses by the first bytes of a file, where they tell, what is too large to be worth a child's turn. */
export function refuseByHead(head: Buffer, format: ImageFormat): void {
  const sides = SIDES[format]?.(head)
  if (sides) refuseTooLarge(sides)
}

/**
 * Refuses what would keep a decoder busy for much longer than its pixels tell, by how the file is put together and
 * before anything of it is decoded. Throws UnsupportedImage, or anything else for a file that is damaged.
 */
export function inspect(bytes: Buffer, format: ImageFormat): void {
  INSPECTIONS[format]?.(bytes)
}
