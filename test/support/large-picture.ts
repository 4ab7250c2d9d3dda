import { randomBytes } from 'node:crypto'
import { scene } from '../fixtures/images.ts'

/** A PNG that is large on the wire and small to decode: what comes after its end is nobody's. */
export async function largePicture(bytes = 4 * 2 ** 20): Promise<File> {
  const picture = await scene(64, 40).png().toBuffer()
  return new File([new Uint8Array(picture), randomBytes(bytes)], 'large.png', { type: 'image/png' })
}
