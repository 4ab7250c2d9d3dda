import { rm } from 'node:fs/promises'
import path from 'node:path'
import { notFound } from '../base/errors.ts'
import { newIdSuffix } from '../base/ids.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import { decodesCheaply } from '../media/images/input.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import { originalKey, type ServableFile } from '../uploads/index.ts'

export interface SourceDeps {
  objects: ObjectStore
  workDir: string
}

/** Fetching more than this from another machine takes longer than decoding what is served. */
const MAX_FETCHED_BYTES = 16 * 2 ** 20

/**
 * Hands over what a size of an image is made from. That is the original wherever it decodes faster than the AVIF
 * that is served: a JPEG of 12 megapixels takes a tenth of the time, and has lost nothing to a second encoding.
 */
export async function withSizeSource(
  file: ServableFile,
  deps: SourceDeps,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const original = originalKey(file.project_id, file.id)
  const isMade = (await isNear(original, deps.objects)) && (await madeFrom(original, deps, use))
  if (!isMade && !(await withLocalCopy(file.object_key, deps, use))) throw notFound()
}

async function isNear(key: string, objects: ObjectStore): Promise<boolean> {
  const found = await objects.head(key)
  return found !== undefined && (objects.localPath(key) !== undefined || found.size <= MAX_FETCHED_BYTES)
}

/** False where the original is of no use: the AVIF is there in any case. */
async function madeFrom(
  key: string,
  deps: SourceDeps,
  use: (path: string) => Promise<void>,
): Promise<boolean> {
  let isMade = false
  try {
    await withLocalCopy(key, deps, async (local) => {
      if (!(await decodesCheaply(local))) return
      await use(local)
      isMade = true
    })
  } catch (error) {
    // Taken under limits that have become tighter since.
    if (!(error instanceof UnsupportedImage)) throw error
  }
  return isMade
}

/** False where there is no such object. */
async function withLocalCopy(
  key: string,
  { objects, workDir }: SourceDeps,
  use: (path: string) => Promise<void>,
): Promise<boolean> {
  const local = objects.localPath(key)
  if (local) {
    await use(local)
    return true
  }
  const copy = path.join(workDir, newIdSuffix())
  try {
    if (!(await objects.download(key, copy))) return false
    await use(copy)
    return true
  } finally {
    await rm(copy, { force: true })
  }
}
