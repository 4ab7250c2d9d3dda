import { open, readFile } from 'node:fs/promises'
import { UnsupportedImage } from './errors.ts'
import { refuseByHead } from './inspect/inspect.ts'
import { pngDepth } from './inspect/png.ts'
import { type PictureSequence, sequenceOf } from './inspect/sequence.ts'
import { type ImageFormat, SNIFF_BYTES, sniff } from './sniff.ts'

const MAX_INPUT_BYTES = 100 * 2 ** 20

/** Whether an original is decoded faster than what is served of it. */
export async function decodesCheaply(file: string): Promise<boolean> {
  const { format, head } = await readHead(file)
  // sharp turns 16-bit pixels that have a profile into Display P3 and forgets to say so.
  return ['jpeg', 'webp', 'gif'].includes(format) || (format === 'png' && pngDepth(head) <= 8)
}

/** Looks at a file before any child does; throws UnsupportedImage when there is no point in asking one. */
export async function readFormat(file: string): Promise<ImageFormat> {
  const { format, head } = await readHead(file)
  refuseByHead(head, format)
  return format
}

/** What moves in an AVIF; undefined for one that stands still, or is damaged, and for other files. */
export async function readSequence(file: string): Promise<PictureSequence | undefined> {
  const { format } = await readHead(file)
  if (format !== 'avif') return undefined
  const bytes = await readFile(file)
  try {
    return sequenceOf(bytes)
  } catch (error) {
    if (error instanceof UnsupportedImage) throw error
    return undefined
  }
}

async function readHead(file: string): Promise<{ format: ImageFormat; head: Buffer }> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size > MAX_INPUT_BYTES)
    throw new UnsupportedImage(`the file has ${Math.ceil(size / 2 ** 20)} MB; at most 100 are taken`)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  const head = buffer.subarray(0, bytesRead)
  return { format: sniff(head), head }
}
