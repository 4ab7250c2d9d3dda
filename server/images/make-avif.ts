import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Priority } from '../base/async/fair-queue.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import { newIdSuffix } from '../base/ids.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import { readSequence } from '../media/images/input.ts'
import type { ImagePool } from '../media/images/port.ts'
import { MediaProgramFailed } from '../media/video/errors.ts'
import { asAnimatedWebp } from '../media/video/moving-picture.ts'
import type { MediaTools } from '../media/video/program.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import { encodingKey, originalKey } from '../uploads/index.ts'

export interface ConversionDeps {
  objects: ObjectStore
  pool: ImagePool
  /** For what moves and only they can read. */
  tools: MediaTools
  /** Folder for files on their way from the pool to the store. */
  workDir: string
}

/** The two encodings an image can have: the one made in a hurry, and the one that may follow. */
export const FAST = 'v1'
export const SMALL = 'v2'

export interface MadeAvif {
  size: number
  etag: string
  objectKey: string
  /** Animated WebP for what moves. */
  format: 'avif' | 'webp'
  width: number
  height: number
  thumbhash: string
}

/** Converts a file's original and stores the result under this name; the original stays. */
export async function makeAvif(
  {
    projectId,
    fileId,
    name,
    effort,
    priority,
    isStill = false,
  }: {
    projectId: ProjectId
    fileId: FileId
    name: string
    effort: number
    priority: Priority
    /** Of what moves, the first picture. */
    isStill?: boolean
  },
  { objects, pool, tools, workDir }: ConversionDeps,
): Promise<MadeAvif> {
  const scratch = path.join(workDir, `${fileId}-${newIdSuffix()}`)
  const original = originalKey(projectId, fileId)
  let input = objects.localPath(original)
  try {
    if (!input) {
      input = `${scratch}.original`
      await objects.download(original, input)
    }
    const moving = await movingPictures(input, tools)
    if (moving) await writeFile(`${scratch}.webp`, moving)
    const made = await pool.convert({
      input: moving ? `${scratch}.webp` : input,
      output: `${scratch}.avif`,
      tenant: projectId,
      effort,
      priority,
      isStill,
    })
    const format = made.moves ? 'webp' : 'avif'
    const objectKey = encodingKey(projectId, fileId, name, format)
    const stored = await objects.putFile(objectKey, `${scratch}.avif`, {
      contentType: `image/${format}`,
      sha256: true,
    })
    // Strong, and the same for the same bytes wherever they are kept.
    const etag = `"${stored.sha256!.slice(0, 32)}"`
    return {
      size: stored.size,
      etag,
      objectKey,
      format,
      width: made.width,
      height: made.height,
      thumbhash: made.thumbhash,
    }
  } finally {
    for (const ending of ['original', 'webp', 'avif']) await rm(`${scratch}.${ending}`, { force: true })
  }
}

/** An AVIF that moves as an animated WebP; undefined for everything else. */
async function movingPictures(input: string, tools: MediaTools): Promise<Buffer | undefined> {
  const sequence = await readSequence(input)
  if (!sequence) return undefined
  return asAnimatedWebp(tools, input, sequence).catch((error) => {
    if (!(error instanceof MediaProgramFailed)) throw error
    throw new UnsupportedImage('the AVIF is cut off or damaged')
  })
}
