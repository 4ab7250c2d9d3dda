import { open } from 'node:fs/promises'
import { UnsupportedImage } from './errors.ts'
import { type ImageFormat, refuseAvif, SNIFF_BYTES, sniff } from './sniff.ts'

const MAX_INPUT_BYTES = 100 * 2 ** 20

/** Looks at a file before any child does; throws UnsupportedImage when there is no point in asking one. */
export async function readFormat(file: string, accepts: { avif: boolean }): Promise<ImageFormat> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size > MAX_INPUT_BYTES)
    throw new UnsupportedImage(`the file has ${Math.ceil(size / 2 ** 20)} MB; at most 100 are taken`)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  const format = sniff(buffer.subarray(0, bytesRead))
  if (!accepts.avif) refuseAvif(format)
  return format
}
