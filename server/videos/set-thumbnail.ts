import type { StorageDeps } from '../access/projects/require-storage.ts'
import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { FormFile, UseForm } from '../base/form.ts'
import { newId } from '../base/ids.ts'
import {
  fileOfPoster,
  insertPoster,
  makePoster,
  type PosterDeps,
  retirePoster,
  settlePoster,
} from '../images/posters.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import { holdFiles, insertFile, removeFile } from '../uploads/files.ts'
import { removeObjects } from '../uploads/sweep.ts'
import { changeVideo, requireRoom } from './change-video.ts'
import { oneFile } from './form-fields.ts'
import type { Video } from './schemas.ts'
import { findVideo, updatePoster } from './store.ts'

const MAX_BYTES = 5 * 2 ** 20
/** Longer than it takes to make a poster: one that is not made by then is swept. */
const MAKING_MS = 3_600_000

export type ThumbnailDeps = StorageDeps & PosterDeps & { cdnUrl: string }

interface Poster {
  imageId: string
  fileId: string
}

/** Makes an image that a client sends the poster of a video, in place of the one it has. */
export async function setThumbnail(
  caller: Caller,
  scope: ProjectScope,
  { videoId, useForm }: { videoId: string; useForm: UseForm },
  deps: ThumbnailDeps,
): Promise<Video> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  await requireRoom(projectId, videoId, deps)
  return useForm({ maxBytes: MAX_BYTES, maxFiles: 1 }, async (form) => {
    const poster = { imageId: newId('image'), fileId: newId('file') }
    const image = oneFile(form, 'thumbnail')
    await beginPoster(projectId, poster, image.name, deps)
    const oldFileId = await exchange(projectId, videoId, poster, image, deps).catch(async (error) => {
      await forget(projectId, poster.fileId, deps).catch(() => {})
      throw error instanceof UnsupportedImage ? badRequest(`thumbnail: ${error.message}`) : error
    })
    // Should this fail, the sweep does it later.
    if (oldFileId) await removeObjects(projectId, oldFileId, deps).catch(() => {})
    const video = await findVideo(deps.sql, projectId, videoId, deps.cdnUrl)
    if (!video) throw notFound()
    return video
  })
}

/** Written down before anything is stored for it, so that whatever happens it is swept. */
async function beginPoster(projectId: string, poster: Poster, name: string, { sql }: ThumbnailDeps) {
  const expires = new Date(Date.now() + MAKING_MS)
  await sql.begin(async (tx) => {
    await insertFile(tx, { id: poster.fileId, projectId, kind: 'image', name, expires })
    await insertPoster(tx, { id: poster.imageId, projectId, fileId: poster.fileId })
  })
}

/** Answers the file of the poster that was there before. */
async function exchange(
  projectId: string,
  videoId: string,
  poster: Poster,
  image: FormFile,
  deps: ThumbnailDeps,
): Promise<string | undefined> {
  const made = await makePoster({ projectId, fileId: poster.fileId, path: image.path }, deps)
  return changeVideo(projectId, videoId, deps.sql, async (tx, { posterId }) => {
    const oldFileId = await fileOfPoster(tx, posterId)
    await holdFiles(tx, [poster.fileId, ...(oldFileId ? [oldFileId] : [])])
    await updatePoster(tx, videoId, poster.imageId)
    await retirePoster(tx, posterId)
    if (!(await settlePoster(tx, { ...poster, videoId, made: made! }))) throw notFound()
    return oldFileId
  })
}

async function forget(projectId: string, fileId: string, deps: ThumbnailDeps): Promise<void> {
  await deps.sql.begin((tx) => removeFile(tx, fileId))
  await removeObjects(projectId, fileId, deps)
}
