import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CACHING } from '../base/caching.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import { newIdSuffix } from '../base/ids.ts'
import type { SizeFormat } from '../images/index.ts'
import { showTimes } from '../media/video/fragments.ts'
import { frameOfSegment } from '../media/video/stills.ts'
import { CLOCK } from '../media/video/timeline.ts'
import {
  isMade,
  type Presentation,
  segmentMedia,
  type VideoChoice,
  videoChoices,
} from '../transcoding/index.ts'
import { findServable } from '../uploads/index.ts'
import { type DeliveryDeps, deliverImage, sizedPicture } from './deliver-file.ts'
import type { Deliverable } from './deliverable.ts'
import { sizeOf } from './size.ts'
import { preferredFormat } from './size-query.ts'
import { segmentAt } from './storyboard.ts'

export interface ThumbnailRequest {
  projectId: ProjectId
  fileId: FileId
  posterFileId: FileId
  /** Seconds; undefined for the poster. */
  time: number | undefined
  width: number | undefined
  height: number | undefined
  format: SizeFormat | undefined
  accept: string | undefined
  signal: AbortSignal
}

/** Wide enough for a list of videos, where no size is asked for. */
const USUAL_WIDTH = 640

/** The poster, or the picture that is on at a time. */
export async function deliverThumbnail(request: ThumbnailRequest, deps: DeliveryDeps): Promise<Deliverable> {
  const { projectId, fileId, time, width: w, height: h, accept } = request
  const video = await findServable(deps.sql, projectId, fileId)
  if (!video) throw notFound()
  const query = { w, h, format: request.format }
  if (time === undefined) {
    const poster = await findServable(deps.sql, projectId, request.posterFileId)
    if (!poster) throw notFound()
    return { ...(await deliverImage(poster, { query, accept }, deps)), caching: CACHING.poster }
  }
  const presentation = await deps.transcoder.presentations.find(projectId, fileId)
  if (!presentation) throw notFound()
  const { plan } = presentation
  const ticks = Math.round(time * CLOCK)
  if (ticks > plan.end) throw badRequest(`query.time: the video ends at ${plan.end / CLOCK}`)
  const number = segmentAt(plan, ticks)
  const choice = await bestFor(presentation, number, w ?? USUAL_WIDTH, deps)
  const [init, segment] = await segmentMedia(presentation, [number], deps, request.signal, choice)
  const times = showTimes(segment!)
  const shown = times.filter((one) => one <= ticks).at(-1) ?? times[0]!
  return sizedPicture(
    {
      projectId,
      version: `${fileId}-${choice.name}-${shown}`,
      lastModified: new Date(video.updated_at),
      format: request.format ?? preferredFormat(accept),
      size: sizeOf(query),
      caching: CACHING.pictureAtTime,
    },
    deps,
    async (use) => {
      const file = path.join(deps.workDir, `${newIdSuffix()}.jpg`)
      try {
        await writeFile(file, await frameOfSegment(deps.transcoder.tools, [init!, segment!], shown))
        await use(file)
      } finally {
        await rm(file, { force: true })
      }
    },
  )
}

/** The smallest rendition that is large enough and has the segment already; else the smallest of all. */
async function bestFor(
  presentation: Presentation,
  number: number,
  width: number,
  { sql }: DeliveryDeps,
): Promise<VideoChoice> {
  const choices = videoChoices(presentation)
  const largeEnough = choices.filter(({ video }) => video.width >= width)
  const candidates = largeEnough.length > 0 ? largeEnough : [choices.at(-1)!]
  for (const choice of candidates)
    if (await isMade(sql, presentation.fileId, choice.name, number)) return choice
  return candidates.find(({ video }) => video.copied) ?? candidates[0]!
}
