import type { ProjectScope, StorageDeps } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { UseForm } from '../base/form.ts'
import type { VideoId } from '../base/ids.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import { requireRoom } from './change-video.ts'
import { oneFile } from './form-fields.ts'
import { readVideo } from './read-videos.ts'
import { type ReplaceDeps, replacePoster } from './replace-poster.ts'
import type { Video } from './schemas.ts'

const MAX_BYTES = 5 * 2 ** 20

export type ThumbnailDeps = StorageDeps & ReplaceDeps & { cdnUrl: CdnUrl }

/** Makes an image that a client sends the poster of a video, in place of the one it has. */
export async function setThumbnail(
  caller: Caller,
  scope: ProjectScope,
  { videoId, useForm }: { videoId: VideoId; useForm: UseForm },
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
    const video = await readVideo(projectId, videoId, deps)
    if (!video) throw notFound()
    return video
  })
}
