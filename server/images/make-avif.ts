import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Priority } from '../base/async/fair-queue.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import { newIdSuffix } from '../base/ids.ts'
import type { ImagePool } from '../media/images/port.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import { encodingKey, originalKey } from '../uploads/index.ts'

export interface ConversionDeps {
  objects: ObjectStore
  pool: ImagePool
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
  { objects, pool, workDir }: ConversionDeps,
): Promise<MadeAvif> {
  const scratch = path.join(workDir, `${fileId}-${newIdSuffix()}`)
  const original = originalKey(projectId, fileId)
  let input = objects.localPath(original)
  try {
    if (!input) {
      input = `${scratch}.original`
      await objects.download(original, input)
    }
    const made = await pool.convert({
      input,
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
    await Promise.all([rm(`${scratch}.original`, { force: true }), rm(`${scratch}.avif`, { force: true })])
  }
}
