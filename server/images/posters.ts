import type { FileId, ImageId, ProjectId, VideoId } from '../base/ids.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { findServable, originalKey, settleFile, takeUploaded, trashFile } from '../uploads/index.ts'
import { type ConversionDeps, FAST, type MadeAvif, makeAvif } from './make-avif.ts'
import { isReady, markTrashed } from './posters/store.ts'
import { describeImage } from './store.ts'

export type PosterDeps = ConversionDeps & { sql: Sql }

export interface MadePoster {
  /** Undefined where the client has completed the poster by itself, as an image: it is settled already. */
  avif: MadeAvif | undefined
  addedBytes: number
}

/**
 * Makes a poster of a local file, which is taken away, or else of what the client sent to the poster's
 * address; undefined where it sent nothing. Throws UnsupportedImage, and then nothing is kept.
 */
export async function makePoster(
  { projectId, fileId, path }: { projectId: ProjectId; fileId: FileId; path?: string },
  deps: PosterDeps,
): Promise<MadePoster | undefined> {
  if (await findServable(deps.sql, projectId, fileId)) return { avif: undefined, addedBytes: 0 }
  const original = originalKey(projectId, fileId)
  const bytes = path
    ? (await deps.objects.putFile(original, path)).size
    : await takeUploaded({ projectId, fileId, kind: 'image' }, deps)
  if (bytes === undefined) return undefined
  try {
    const avif = await makeAvif(
      { projectId, fileId, name: FAST, effort: 0, priority: 'interactive', isStill: true },
      deps,
    )
    return { avif, addedBytes: bytes + avif.size }
  } catch (error) {
    if (error instanceof UnsupportedImage) await deps.objects.delete(original)
    throw error
  }
}

/** The poster is served from now on, as that of this video where one is named. False where it was deleted. */
export async function settlePoster(
  tx: Transaction,
  poster: { imageId: ImageId; fileId: FileId; videoId?: VideoId; made: MadePoster },
): Promise<boolean> {
  const { avif, addedBytes } = poster.made
  if (!avif) return true
  const settled = await settleFile(tx, poster.fileId, {
    format: 'avif',
    objectKey: avif.objectKey,
    size: avif.size,
    etag: avif.etag,
    addedBytes,
  })
  // Completed by itself in this moment: just as well.
  if (!settled) return isReady(tx, poster.imageId)
  await describeImage(tx, poster.imageId, { ...avif, attachedToVideo: true, posterOf: poster.videoId })
  return true
}

/** A poster goes into the trash, with its video or by itself, then no poster any more. Answers its file. */
export async function trashPoster(
  tx: Transaction,
  imageId: ImageId,
  how: { withVideo: boolean },
): Promise<FileId | undefined> {
  const fileId = await markTrashed(tx, imageId, how)
  if (fileId) await trashFile(tx, fileId)
  return fileId
}
