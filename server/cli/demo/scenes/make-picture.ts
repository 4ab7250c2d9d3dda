import { rename } from 'node:fs/promises'
import sharp from 'sharp'
import { imageOf, type Raster } from '../draw/raster.ts'

/** What is drawn is this much smaller: the grain comes after, in full size, as in a photograph. */
const DRAWN = 0.55

/** Of a square of grain, which is repeated. */
const GRAIN = 512

export interface Drawing {
  /** Its ending says how it is written. */
  name: string
  width: number
  height: number
  draw(width: number, height: number): Raster
}

/** Draws a picture, enlarges it, and writes it as a camera would: a little grain, darker corners. */
export async function makePicture({ name, width, height, draw }: Drawing, file: string): Promise<void> {
  const raster = draw(Math.round(width * DRAWN), Math.round(height * DRAWN))
  const large = await imageOf(raster)
    .removeAlpha()
    .resize(width, height, { kernel: 'lanczos3' })
    .sharpen({ sigma: 0.7 })
    .toBuffer()
  const create = { width: GRAIN, height: GRAIN, channels: 3 as const, background: '#808080' }
  const grain = await sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 9 } } })
    .greyscale()
    .png()
    .toBuffer()
  const raw = { width, height, channels: 3 as const }
  const picture = sharp(large, { raw }).composite([
    { input: grain, tile: true, blend: 'soft-light' },
    { input: Buffer.from(corners(width, height)), blend: 'multiply' },
  ])
  const half = `${file}.half`
  if (name.endsWith('.png')) await picture.png({ palette: false, compressionLevel: 6 }).toFile(half)
  else if (name.endsWith('.webp')) await picture.webp({ quality: 86 }).toFile(half)
  else await picture.jpeg({ quality: 88 }).toFile(half)
  await rename(half, file)
}

function corners(width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <radialGradient id="g" r="0.78"><stop offset="0.55" stop-color="#fff"/><stop offset="1" stop-color="#9a9aa2"/></radialGradient>
  </defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`
}
