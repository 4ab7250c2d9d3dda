import sharp, { type Sharp } from 'sharp'

const WINDOW = 8
// The constants of the SSIM paper for 8-bit values.
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

/** Mean SSIM of red, green and blue of two pictures of one shape; 1 is equal. */
export async function similarity(one: Buffer | Sharp, other: Buffer | Sharp): Promise<number> {
  const [a, b] = [await shrunk(one), await shrunk(other)]
  if (a.ratio.toFixed(2) !== b.ratio.toFixed(2)) return 0
  let sum = 0
  let windows = 0
  for (let y = 0; y + WINDOW <= a.height; y += WINDOW)
    for (let x = 0; x + WINDOW <= a.width; x += WINDOW)
      for (let channel = 0; channel < 3; channel++, windows++) sum += windowSimilarity(a, b, x, y, channel)
  return sum / windows
}

interface Shrunk {
  data: Buffer
  width: number
  height: number
  ratio: number
}

async function shrunk(image: Buffer | Sharp): Promise<Shrunk> {
  // Through PNG, so that resizing sees the finished picture and not the steps that lead to it.
  const png = Buffer.isBuffer(image) ? image : await image.png({ compressionLevel: 1 }).toBuffer()
  const { width, height } = await sharp(png).metadata()
  const scale = 256 / Math.max(width, height)
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  const resized = sharp(png).resize({ ...size, fit: 'fill' })
  const data = await resized.toColourspace('srgb').removeAlpha().raw().toBuffer()
  return { data, ...size, ratio: width / height }
}

function windowSimilarity(a: Shrunk, b: Shrunk, left: number, top: number, channel: number): number {
  const count = WINDOW * WINDOW
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let y = top; y < top + WINDOW; y++)
    for (let x = left; x < left + WINDOW; x++) {
      const p = a.data[(y * a.width + x) * 3 + channel]!
      const q = b.data[(y * b.width + x) * 3 + channel]!
      sumA += p
      sumB += q
      squaresA += p * p
      squaresB += q * q
      products += p * q
    }
  const [meanA, meanB] = [sumA / count, sumB / count]
  const varianceA = squaresA / count - meanA * meanA
  const varianceB = squaresB / count - meanB * meanB
  const covariance = products / count - meanA * meanB
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  )
}
