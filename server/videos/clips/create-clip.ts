import { createReadStream } from 'node:fs'
import { mediaDefaults, type ProjectScope, requireStorage, type StorageDeps } from '../../access/index.ts'
import type { FairSemaphore } from '../../base/async/fair-semaphore.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { badRequest, notFound, Refusal } from '../../base/errors.ts'
import type { FileId, ProjectId, VideoId } from '../../base/ids.ts'
import { MediaProgramFailed } from '../../media/video/errors.ts'
import { type ExcerptFormat, excerptFormats, takeExcerpt } from '../../media/video/excerpt.ts'
import type { PlaybackPlan } from '../../media/video/plan.ts'
import { CLOCK } from '../../media/video/timeline.ts'
import type { ClipWindow } from '../../media/video/window.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import type { Presentations } from '../../transcoding/index.ts'
import { cancelUpload, originalKey, putIncoming, type UploadDeps, updateFile } from '../../uploads/index.ts'
import { addVideo } from '../begin-video.ts'
import { type CompleteVideoDeps, finishVideo } from '../complete-video.ts'
import type { Video } from '../schemas.ts'
import { findUpload, findVideo } from '../store.ts'
import { takeAlong } from './take-along.ts'

export interface ClipDeps extends CompleteVideoDeps, UploadDeps, StorageDeps {
  objects: UploadDeps['objects']
  /** Whose originals are copied from at the moment: each reads and writes as fast as the disk does. */
  copies: FairSemaphore
  transcoder: CompleteVideoDeps['transcoder'] & { presentations: Presentations }
}

export interface NewClip {
  /** Seconds of the video that it is of. */
  start: number
  end: number
  title?: string
}

/**
 * Makes a video of a part of another, exact to the picture. It keeps a copy of that part of the original, so it stays
 * when the other goes, and it is cut and offered like every upload.
 */
export async function createClip(
  caller: Caller,
  scope: ProjectScope,
  { videoId, clip }: { videoId: VideoId; clip: NewClip },
  deps: ClipDeps,
): Promise<Video> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  await requireStorage(projectId, deps)
  const [source, upload, defaults] = await Promise.all([
    findVideo(deps.sql, projectId, videoId),
    findUpload(deps.sql, projectId, videoId),
    mediaDefaults(deps.sql, projectId),
  ])
  const plan = source && (await deps.transcoder.presentations.planOf(source.file_id))
  if (!upload || !defaults || !plan) throw notFound()
  const window = windowOf(clip, plan)
  const name = clip.title ?? source.name.toString()
  const wanted = { file_name: name, video_quality: upload.quality, clipOf: videoId }
  const { video_id } = await deps.sql.begin((tx) => addVideo(tx, projectId, wanted, defaults, deps))
  const made = await findUpload(deps.sql, projectId, video_id)
  if (!made) throw notFound()
  const ends = { start: clip.start, end: Math.min(clip.end, source.duration) }
  const order = { projectId, from: source.file_id, to: made.fileId, plan, window }
  const unfinished = {
    projectId,
    videoId: video_id,
    window,
    alongside: async (tx: Transaction) => {
      await takeAlong(tx, { of: videoId, to: video_id, fileId: made.fileId, ...ends })
      // A part is seen by whoever may see the whole, as it is by now.
      const { visibility } = (await findVideo(tx, projectId, videoId)) ?? source
      if (visibility) await updateFile(tx, made.fileId, { visibility })
    },
  }
  try {
    return await firstThatWorks(await ways(order, deps), async (way) => {
      await deps.copies(projectId, () => copyPart({ ...order, way }, deps))
      return finishVideo(unfinished, deps)
    })
  } catch (error) {
    // Nobody else knows of it. Should this fail as well, it is swept when its time is over.
    await cancelUpload(projectId, [made.fileId, made.posterFileId], deps).catch(() => {})
    throw error
  }
}

/** In seconds of the source's own clock. */
function windowOf({ start, end }: NewClip, { end: length, source }: PlaybackPlan): ClipWindow {
  if (end <= start) throw badRequest('body.end: must be after start')
  if (start * CLOCK >= length) throw badRequest(`body.start: the video ends at ${length / CLOCK}`)
  // Lengths are told to the millisecond.
  if (end * CLOCK > length + CLOCK / 1000) throw badRequest(`body.end: the video ends at ${length / CLOCK}`)
  const zero = (source.zero * source.timeBase.num) / source.timeBase.den
  return { start: zero + start, end: zero + end }
}

interface PartOrder {
  projectId: ProjectId
  from: FileId
  to: FileId
  plan: PlaybackPlan
  window: ClipWindow
}

type Way = ExcerptFormat | 'whole'

/** A part of the file, however it can be written; else all of it, which takes more room and is as exact. */
async function ways({ projectId, from }: PartOrder, { sources }: ClipDeps): Promise<Way[]> {
  const formats = await sources.use(originalKey(projectId, from), excerptFormats)
  if (!formats) throw notFound()
  return [...formats, 'whole']
}

async function firstThatWorks<T>(ways: Way[], attempt: (way: Way) => Promise<T>): Promise<T> {
  for (const way of ways)
    try {
      return await attempt(way)
    } catch (error) {
      const isItsFault =
        error instanceof MediaProgramFailed || (error instanceof Refusal && error.status === 400)
      if (!isItsFault || way === 'whole') throw error
    }
  throw notFound()
}

/** Puts the part, or all, of the original to where a client would have sent it. */
async function copyPart(
  { projectId, from, to, plan, window, way }: PartOrder & { way: Way },
  deps: ClipDeps,
): Promise<void> {
  const copied = await deps.sources.use(originalKey(projectId, from), async (source) => {
    if (way === 'whole') {
      await putIncoming(to, createReadStream(source), deps.objects)
      return true
    }
    const program = takeExcerpt(deps.tools, { source, plan, window, format: way })
    try {
      await putIncoming(to, program.stdout, deps.objects)
      await program.ended
      return true
    } finally {
      program.kill('not needed any more')
    }
  })
  if (!copied) throw notFound()
}
