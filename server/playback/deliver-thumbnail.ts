import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { badRequest, notFound } from '../base/errors.ts'
import { newIdSuffix } from '../base/ids.ts'
import { showTimes } from '../media/video/fragments.ts'
import { frameOfSegment } from '../media/video/stills.ts'
import { CLOCK } from '../media/video/timeline.ts'
import { findServable } from '../uploads/files.ts'
import { type DeliveryDeps, deliverImage, sizedPicture } from './deliver-file.ts'
import type { Deliverable } from './deliverable.ts'
import { type Presentation, type VideoChoice, videoChoices } from './hls/renditions.ts'
import { segmentMedia } from './hls/segment-media.ts'
import { isMade } from './hls/store.ts'
import { segmentAt } from './hls/storyboard.ts'
import { type ImageFormat, preferredFormat } from './size-query.ts'

export interface ThumbnailRequest {
  projectId: string
  fileId: string
  posterFileId: string
  /** Seconds; undefined for the poster. */
  time: number | undefined
  width: number | undefined
  height: number | undefined
  format: ImageFormat | undefined
  accept: string | undefined
  signal: AbortSignal
}

/** Wide enough for a list of videos, where no size is asked for. */
const USUAL_WIDTH = 640
/** A picture at a time stays what it is. */
const CACHING = 'private, max-age=3600'
/** The poster may be another the next moment, at the same address: asked about each time, at the cost of a 304. */
const POSTER_CACHING = 'private, no-cache'

/** The poster, or the picture that is on at a time. */
export async function deliverThumbnail(request: ThumbnailRequest, deps: DeliveryDeps): Promise<Deliverable> {
  const { projectId, fileId, time, width: w, height: h, accept } = request
  const video = await findServable(deps.sql, projectId, fileId)
  if (!video) throw notFound()
  const query = { w, h, format: request.format }
  if (time === undefined) {
    const poster = await findServable(deps.sql, projectId, request.posterFileId)
    if (!poster) throw notFound()
    return { ...(await deliverImage(poster, { query, accept }, deps)), caching: POSTER_CACHING }
  }
  const presentation = await deps.player.presentations.find(projectId, fileId)
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
      query,
      caching: CACHING,
    },
    deps,
    async (use) => {
      const file = path.join(deps.workDir, `${newIdSuffix()}.jpg`)
      try {
        await writeFile(file, await frameOfSegment(deps.player.tools, [init!, segment!], shown))
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
