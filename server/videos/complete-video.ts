import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ProjectScope } from '../access/index.ts'
import type { FairSemaphore } from '../base/async/fair-semaphore.ts'
import type { SingleFlight } from '../base/async/single-flight.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { FileId, ImageId, ProjectId, VideoId } from '../base/ids.ts'
import { newIdSuffix } from '../base/ids.ts'
import { type MadePoster, makePoster, type PosterDeps, settlePoster } from '../images/index.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import { UnsupportedVideo } from '../media/video/errors.ts'
import type { Quality } from '../media/video/ladder.ts'
import type { PlaybackPlan, VideoFacts } from '../media/video/plan.ts'
import type { MediaTools } from '../media/video/program.ts'
import { posterFrame } from '../media/video/stills.ts'
import { studyVideo } from '../media/video/study.ts'
import type { ClipWindow } from '../media/video/window.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { beginPlayback, type SourceFiles } from '../transcoding/index.ts'
import {
  completeOnce,
  holdFiles,
  originalKey,
  settleFile,
  takeUploaded,
  updateFile,
} from '../uploads/index.ts'
import { foundChapters } from './chapters/to-chapters.ts'
import { readVideo } from './read-videos.ts'
import type { Video } from './schemas.ts'
import { describeVideo, findUpload } from './store.ts'
import { addSubtitles, readFound } from './subtitles/found-subtitles.ts'

export interface CompleteVideoDeps extends PosterDeps {
  jobs: JobQueue
  cdnUrl: CdnUrl
  tools: MediaTools
  sources: SourceFiles
  transcoder: {
    /** Begins to make what a viewer asks for first. */
    warm(upload: { projectId: ProjectId; fileId: FileId }): void
  }
  /** One piece of work for each video at a time; the others share its outcome. */
  singleFlight: SingleFlight
  /** Whose files are looked into at the moment: it takes memory and time that are everybody's. */
  studies: FairSemaphore
}

/** Makes a video of what was uploaded, playable from the answer on. Asking again answers the same video. */
export async function completeVideo(
  caller: Caller,
  scope: ProjectScope,
  videoId: VideoId,
  deps: CompleteVideoDeps,
): Promise<Video> {
  allow(caller, 'videos:write', scope)
  return finishVideo({ projectId: scope.projectId, videoId }, deps)
}

interface UnfinishedVideo {
  projectId: ProjectId
  videoId: VideoId
  /** The part of the file that it is, where it is not all of it. */
  window?: ClipWindow
  /** What is to happen in the transaction that makes it ready. */
  alongside?: (tx: Transaction) => Promise<void>
}

/** For whoever has asked for permission. */
export async function finishVideo(unfinished: UnfinishedVideo, deps: CompleteVideoDeps): Promise<Video> {
  const { projectId, videoId } = unfinished
  const ready = await readVideo(projectId, videoId, deps)
  if (ready) return ready
  const upload = await findUpload(deps.sql, projectId, videoId)
  if (!upload) throw notFound('no such upload')
  await deps.singleFlight(videoId, () =>
    completeOnce(upload.fileId, deps.sql, () => makeReady({ ...unfinished, ...upload }, deps)),
  )
  const video = await readVideo(projectId, videoId, deps)
  if (!video) throw notFound('it was deleted meanwhile')
  return video
}

interface Upload extends UnfinishedVideo {
  fileId: FileId
  posterId: ImageId
  posterFileId: FileId
  quality: Quality
}

async function makeReady(upload: Upload, deps: CompleteVideoDeps): Promise<void> {
  const { projectId, videoId, fileId, posterId, posterFileId, quality, window } = upload
  const original = originalKey(projectId, fileId)
  const uploadedBytes = await takeUploaded({ projectId, fileId, kind: 'video' }, deps)
  if (uploadedBytes === undefined) throw notFound('nothing was uploaded to the address yet')
  const made = await deps.sources
    .use(original, (source) =>
      deps.studies(projectId, async () => {
        const study = await studyVideo(deps.tools, source, quality, window)
        const poster = await posterOf(upload, { source, plan: study.draft, facts: study.facts }, deps)
        const [plan, found] = await Promise.all([study.plan, study.subtitles.then(readFound)])
        return { ...study, poster, plan: { ...plan, notes: [...plan.notes!, ...found.notes] }, found }
      }),
    )
    .catch(async (error) => {
      if (!(error instanceof UnsupportedVideo)) throw error
      // Not a video: nothing of it is kept, and another file may be sent to the same address.
      deps.sources.forget(original)
      await deps.objects.delete(original)
      throw badRequest(error.message)
    })
  if (!made) throw notFound('nothing was uploaded to the address yet')
  const { plan, facts, chapters, title, poster, found } = made
  await deps.sql.begin(async (tx) => {
    await holdFiles(tx, [fileId, posterFileId])
    const settled =
      (await settleFile(tx, fileId, {
        format: 'hls',
        objectKey: original,
        size: uploadedBytes,
        etag: `"${newIdSuffix()}"`,
        addedBytes: uploadedBytes,
      })) && (await settlePoster(tx, { imageId: posterId, fileId: posterFileId, videoId, made: poster }))
    if (!settled) throw notFound('it was deleted meanwhile')
    await describeVideo(tx, videoId, { ...facts, chapters: foundChapters(chapters, facts.duration) })
    if (title && !window) await updateFile(tx, fileId, { description: title })
    await addSubtitles(tx, { videoId, fileId }, found.subtitles)
    await beginPlayback(tx, { projectId, fileId, plan }, deps.jobs)
    await upload.alongside?.(tx)
  })
  deps.transcoder.warm({ projectId, fileId })
}

/** What the client sent to the poster's address, or else a picture of the video. */
async function posterOf(
  { projectId, posterFileId }: Upload,
  { source, plan, facts }: { source: string; plan: PlaybackPlan; facts: VideoFacts },
  deps: CompleteVideoDeps,
): Promise<MadePoster> {
  const sent = await makePoster({ projectId, fileId: posterFileId }, deps).catch((error) => {
    throw error instanceof UnsupportedImage ? badRequest(`poster: ${error.message}`) : error
  })
  if (sent) return sent
  const frame = path.join(deps.workDir, `${newIdSuffix()}.jpg`)
  try {
    await writeFile(frame, await posterFrame(deps.tools, { source, plan, ...facts }))
    const made = await makePoster({ projectId, fileId: posterFileId, path: frame }, deps)
    if (!made) throw new Error('the poster did not arrive')
    return made
  } finally {
    await rm(frame, { force: true })
  }
}
