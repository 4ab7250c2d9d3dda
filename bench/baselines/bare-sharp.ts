import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

/**
 * The least a conversion can cost: the same decoding, encoding and thumbhash, by the same library with
 * all cores, one file after the other. No service, no database, no sandbox, nothing written.
 */
sharp.cache(false)
sharp.concurrency(availableParallelism())

export interface BareTask {
  file: string
  times: number
  /** Makes a WebP of this width instead of an AVIF. */
  width?: number
}

export interface BareTaken {
  wallMs: number
  cpuMs: number
}

process.on('message', async ({ file, times, width }: BareTask) => {
  const start = performance.now()
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await (width ? resize(file, width) : convert(readFileSync(file)))
  const { user, system } = process.cpuUsage(before)
  process.send!({ wallMs: performance.now() - start, cpuMs: (user + system) / 1000 } satisfies BareTaken)
})

/** From the file as it was uploaded, by the shortest way that the library has. */
async function resize(file: string, width: number): Promise<void> {
  await sharp(file, { autoOrient: true }).resize(width).webp({ quality: 80 }).toBuffer()
}

async function convert(jpeg: Buffer): Promise<void> {
  const { data, info } = await sharp(jpeg, { autoOrient: true }).raw().toBuffer({ resolveWithObject: true })
  const start = () => sharp(data, { raw: info })
  await Promise.all([
    start().avif({ effort: 0, quality: 60, chromaSubsampling: '4:2:0' }).toBuffer(),
    start()
      .resize(100, 100, { fit: 'inside' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
      .then((small) => rgbaToThumbHash(small.info.width, small.info.height, small.data)),
  ])
}
