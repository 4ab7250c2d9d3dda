import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { conflict, notFound } from '../base/errors.ts'
import type { ImageId, ProjectId, VideoId } from '../base/ids.ts'
import { newId, newIdSuffix } from '../base/ids.ts'
import { insertPoster, trashPoster } from '../images/index.ts'
import type { MediaTools } from '../media/video/program.ts'
import { posterFrame } from '../media/video/stills.ts'
import type { Transcoder } from '../transcoding/index.ts'
import {
  awaitedUntil,
  emptyUnlessKept,
  holdFiles,
  insertFile,
  originalKey,
  statusOfFile,
} from '../uploads/index.ts'
import { type ReplaceDeps, replacePoster } from './replace-poster.ts'
import { findUpload, updatePoster, videoOfPoster } from './store.ts'

export interface DropPosterDeps extends ReplaceDeps {
  tools: MediaTools
  transcoder: Pick<Transcoder, 'sources' | 'presentations'>
}

const NAME = 'poster.jpg'

/**
 * The poster of a video goes, and the video takes a picture of its own instead. For whoever has asked for
 * permission; 404 where the image is no poster any more.
 */
export async function dropPoster(
  { projectId, imageId }: { projectId: ProjectId; imageId: ImageId },
  deps: DropPosterDeps,
): Promise<void> {
  const video = await videoOfPoster(deps.sql, projectId, imageId)
  if (!video) throw notFound()
  const { id: videoId, fileId } = video
  if (!video.size) return awaitAnother({ projectId, videoId, imageId }, deps)
  const plan = await deps.transcoder.presentations.planOf(fileId)
  if (!plan) throw notFound()
  const frame = path.join(deps.workDir, `${newIdSuffix()}.jpg`)
  try {
    const made = await deps.transcoder.sources.use(originalKey(projectId, fileId), async (source) => {
      await writeFile(frame, await posterFrame(deps.tools, { source, plan, ...video.size! }))
      return true
    })
    if (!made) throw notFound()
    await replacePoster({ projectId, videoId, image: { path: frame, name: NAME }, insteadOf: imageId }, deps)
  } finally {
    await rm(frame, { force: true })
  }
}

/** The video is not complete yet: it gets a poster that nothing was sent for, so that completing it takes a frame. */
async function awaitAnother(
  { projectId, videoId, imageId }: { projectId: ProjectId; videoId: VideoId; imageId: ImageId },
  deps: DropPosterDeps,
): Promise<void> {
  const oldFileId = await deps.sql.begin(async (tx) => {
    const upload = await findUpload(tx, projectId, videoId)
    if (upload?.posterId !== imageId) throw notFound()
    const { fileId, posterFileId } = upload
    await holdFiles(tx, [fileId, posterFileId])
    // Whoever completes it has the poster in hand.
    if ((await statusOfFile(tx, fileId)) !== 'uploading')
      throw conflict('its video is being completed; ask again')
    const expires = await awaitedUntil(tx, posterFileId)
    if (!expires || !(await trashPoster(tx, imageId, { withVideo: false }))) throw notFound()
    const poster = { id: newId('image'), fileId: newId('file') }
    await insertFile(tx, { id: poster.fileId, projectId, kind: 'image', name: NAME, expires })
    await insertPoster(tx, { ...poster, projectId, videoId })
    await updatePoster(tx, videoId, poster.id)
    return posterFileId
  })
  // Should this fail, the sweep does it later.
  await emptyUnlessKept(projectId, [oldFileId], deps).catch(() => {})
}
