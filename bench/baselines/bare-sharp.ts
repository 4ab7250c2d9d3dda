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

process.on('message', async ({ file, times }: { file: string; times: number }) => {
  const start = performance.now()
  for (let i = 0; i < times; i++) await convert(readFileSync(file))
  process.send!(performance.now() - start)
})

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
