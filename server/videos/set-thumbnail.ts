import type { StorageDeps } from '../access/projects/require-storage.ts'
import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { UseForm } from '../base/form.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import { requireRoom } from './change-video.ts'
import { oneFile } from './form-fields.ts'
import { type ReplaceDeps, replacePoster } from './replace-poster.ts'
import type { Video } from './schemas.ts'
import { findVideo } from './store.ts'

const MAX_BYTES = 5 * 2 ** 20

export type ThumbnailDeps = StorageDeps & ReplaceDeps & { cdnUrl: string }

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
    const image = oneFile(form, 'thumbnail')
    await replacePoster({ projectId, videoId, image }, deps).catch((error) => {
      throw error instanceof UnsupportedImage ? badRequest(`thumbnail: ${error.message}`) : error
    })
    const video = await findVideo(deps.sql, projectId, videoId, deps.cdnUrl)
    if (!video) throw notFound()
    return video
  })
}
