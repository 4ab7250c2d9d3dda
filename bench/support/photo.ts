import sharp from 'sharp'

export interface Photo {
  megapixels: number
  jpeg: Buffer
}

// From shapes to grain: each layer is noise at one scale, weaker the finer it is, as in nature.
const LAYERS = [
  { scale: 512, weight: 70 },
  { scale: 128, weight: 38 },
  { scale: 32, weight: 20 },
  { scale: 8, weight: 12 },
  { scale: 3, weight: 10 },
]

/** A picture that compresses like a photo, as a camera would write it; the same on every machine. */
export async function makePhoto(width: number, height: number): Promise<Photo> {
  const random = seeded(width * height)
  const sums = new Float32Array(width * height * 3)
  for (const { scale, weight } of LAYERS) {
    const layer = await noise(width, height, scale, random)
    for (let i = 0; i < sums.length; i++) sums[i]! += ((layer[i]! - 128) * weight) / 64
  }
  const pixels = Buffer.allocUnsafe(sums.length)
  for (let i = 0; i < sums.length; i++) pixels[i] = Math.min(255, Math.max(0, 128 + sums[i]!))
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88, chromaSubsampling: '4:2:0' })
    .toBuffer()
  return { megapixels: Math.round((width * height) / 1e6), jpeg }
}

/** Mostly grey, like the world: the three channels share more than they differ in. */
function noise(width: number, height: number, scale: number, random: () => number): Promise<Buffer> {
  const small = { width: Math.ceil(width / scale) + 1, height: Math.ceil(height / scale) + 1 }
  const data = Buffer.alloc(small.width * small.height * 3)
  for (let i = 0; i < data.length; i += 3) {
    const light = random() * 200
    for (let channel = 0; channel < 3; channel++) data[i + channel] = light + random() * 55
  }
  return sharp(data, { raw: { ...small, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer()
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
