import { notFound } from '../base/errors.ts'
import type { FileId, ImageId, ProjectId, VideoId } from '../base/ids.ts'
import { newId } from '../base/ids.ts'
import {
  fileOfPoster,
  insertPoster,
  makePoster,
  type PosterDeps,
  settlePoster,
  trashPoster,
} from '../images/index.ts'
import {
  emptyUnlessKept,
  holdFiles,
  insertFile,
  removeFile,
  removeObjects,
  type TrashDeps,
} from '../uploads/index.ts'
import { changeVideo } from './change-video.ts'
import { updatePoster } from './store.ts'

/** Longer than it takes to make a poster: one that is not made by then is swept. */
const MAKING_MS = 3_600_000

export type ReplaceDeps = PosterDeps & TrashDeps

interface Poster {
  imageId: ImageId
  fileId: FileId
}

export interface NewPoster {
  projectId: ProjectId
  videoId: VideoId
  /** A local file, which is taken away. */
  image: { path: string; name: string }
  /** This one was deleted: it goes into the trash, and is 404 where the video has another by now. */
  insteadOf?: string
}

/**
 * Makes an image the poster of a video, in place of the one it has. It is an image and a file of its own: its
 * address is new, so that no cache shows the old one for it. Throws UnsupportedImage, and then nothing is kept.
 */
export async function replacePoster(wanted: NewPoster, deps: ReplaceDeps): Promise<void> {
  const { projectId } = wanted
  const poster = { imageId: newId('image'), fileId: newId('file') }
  await beginPoster(projectId, poster, wanted.image.name, deps)
  const oldFileId = await exchange(wanted, poster, deps).catch(async (error) => {
    await forget(projectId, poster.fileId, deps).catch(() => {})
    throw error
  })
  // Should this fail, the sweep does it later.
  if (!oldFileId) return
  if (wanted.insteadOf) await emptyUnlessKept(projectId, [oldFileId], deps).catch(() => {})
  else await removeObjects(projectId, oldFileId, deps).catch(() => {})
}

/** Written down before anything is stored for it, so that whatever happens it is swept. */
async function beginPoster(projectId: ProjectId, poster: Poster, name: string, { sql }: PosterDeps) {
  const expires = new Date(Date.now() + MAKING_MS)
  await sql.begin(async (tx) => {
    await insertFile(tx, { id: poster.fileId, projectId, kind: 'image', name, expires })
    await insertPoster(tx, { id: poster.imageId, projectId, fileId: poster.fileId })
  })
}

/** Answers the file of the poster that was there before. */
async function exchange(
  { projectId, videoId, image, insteadOf }: NewPoster,
  poster: Poster,
  deps: PosterDeps,
): Promise<FileId | undefined> {
  const made = await makePoster({ projectId, fileId: poster.fileId, path: image.path }, deps)
  return changeVideo(projectId, videoId, deps.sql, async (tx, { posterId }) => {
    if (insteadOf !== undefined && posterId !== insteadOf) throw notFound()
    const oldFileId = await fileOfPoster(tx, posterId)
    await holdFiles(tx, [poster.fileId, ...(oldFileId ? [oldFileId] : [])])
    await updatePoster(tx, videoId, poster.imageId)
    if (insteadOf) await trashPoster(tx, posterId, { withVideo: false })
    else if (oldFileId) await removeFile(tx, oldFileId)
    if (!(await settlePoster(tx, { ...poster, videoId, made: made! }))) throw notFound()
    return oldFileId
  })
}

async function forget(projectId: ProjectId, fileId: FileId, deps: PosterDeps): Promise<void> {
  await deps.sql.begin((tx) => removeFile(tx, fileId))
  await removeObjects(projectId, fileId, deps)
}
