import sharp, { type Sharp } from 'sharp'
import type { Pixel } from './colour.ts'

/** Pixels as they are drawn: red, green, blue and how opaque, a byte each. */
export interface Raster {
  width: number
  height: number
  data: Uint8ClampedArray
}

export type Paint = (x: number, y: number, out: Pixel) => void

/** Asks for the colour of every pixel. Less than a byte of noise keeps wide skies from showing steps. */
export function shade(width: number, height: number, paint: Paint): Raster {
  const data = new Uint8ClampedArray(width * height * 4)
  const out = new Float32Array(4)
  let state = 0x9e3779b9
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 4) {
      out[3] = 1
      paint(x, y, out)
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      const dither = (state >>> 8) / 16777216 - 0.5
      data[i] = out[0]! * 255 + dither
      data[i + 1] = out[1]! * 255 + dither
      data[i + 2] = out[2]! * 255 + dither
      data[i + 3] = out[3]! * 255
    }
  return { width, height, data }
}

export function imageOf({ data, width, height }: Raster): Sharp {
  const raw = { width, height, channels: 4 as const }
  return sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), { raw })
}

/** A layer for ffmpeg, which reads it once. */
export async function writeLayer(file: string, raster: Raster, blur = 0): Promise<void> {
  const image = blur > 0 ? imageOf(raster).blur(blur) : imageOf(raster)
  await image.png({ compressionLevel: 1, adaptiveFiltering: false }).toFile(file)
}

/** The same without what is transparent above and below; answers the row where it begins. */
export async function writeTrimmed(file: string, raster: Raster): Promise<number> {
  const { width, height, data } = raster
  const isSeen = (row: number) => {
    for (let i = row * width * 4 + 3; i < (row + 1) * width * 4; i += 4) if (data[i]! > 2) return true
    return false
  }
  let [top, bottom] = [0, height]
  while (top < height - 2 && !isSeen(top)) top++
  while (bottom > top + 2 && !isSeen(bottom - 1)) bottom--
  const part = data.subarray(top * width * 4, bottom * width * 4)
  await writeLayer(file, { width, height: bottom - top, data: part })
  return top
}

/** Draws a raster over another: at a place, with all that is opaque of it. */
export function stamp(onto: Raster, sprite: Raster, left: number, top: number): void {
  for (let y = Math.max(0, -top); y < Math.min(sprite.height, onto.height - top); y++)
    for (let x = Math.max(0, -left); x < Math.min(sprite.width, onto.width - left); x++) {
      const from = (y * sprite.width + x) * 4
      const to = ((y + top) * onto.width + x + left) * 4
      const share = sprite.data[from + 3]! / 255
      for (let c = 0; c < 3; c++)
        onto.data[to + c] = onto.data[to + c]! * (1 - share) + sprite.data[from + c]! * share
      onto.data[to + 3] = Math.max(onto.data[to + 3]!, sprite.data[from + 3]!)
    }
}

/** Adds light to a raster: a soft disc. */
export function glow(
  onto: Raster,
  spot: { x: number; y: number; radius: number; colour: readonly number[]; strength: number },
): void {
  const { x: cx, y: cy, radius, colour, strength } = spot
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(onto.height, cy + radius); y++)
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(onto.width, cx + radius); x++) {
      const distance = Math.hypot(x - cx, y - cy) / radius
      if (distance >= 1) continue
      const light = strength * (1 - distance) ** 2 * 255
      const i = (y * onto.width + x) * 4
      for (let c = 0; c < 3; c++) onto.data[i + c] = onto.data[i + c]! + colour[c]! * light
    }
}

/** Adds the light of a raster of the same size that is drawn on black. */
export function screen(onto: Raster, light: Raster, strength = 1, top = 0): Raster {
  for (let i = 0, j = top * onto.width * 4; i < light.data.length && j < onto.data.length; i++, j++)
    if (i % 4 !== 3) onto.data[j] = 255 - ((255 - onto.data[j]!) * (255 - light.data[i]! * strength)) / 255
  return onto
}
