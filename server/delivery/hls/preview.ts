import { createReadStream } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { CACHING } from '../../base/caching.ts'
import { badRequest } from '../../base/errors.ts'
import { movingPreview, PREVIEW_LIMITS, type PreviewFormat } from '../../media/video/moving-preview.ts'
import { CLOCK } from '../../media/video/timeline.ts'
import { type Presentation, segmentMedia, type VideoChoice } from '../../transcoding/index.ts'
import { type Deliverable, part } from '../deliverable.ts'
import { segmentAt } from '../storyboard.ts'
import type { HlsDeps } from './deliver-hls.ts'

export interface PreviewQuery {
  /** Seconds. */
  start?: number
  end?: number
  w?: number
  fps?: number
}

interface WantedPreview extends PreviewQuery {
  format: PreviewFormat
  lastModified: Date
  /** The renditions that it may be made of. */
  choices: VideoChoice[]
}

/** A stretch of a video as a picture that moves, made when it is first asked for. */
export async function deliverPreview(
  presentation: Presentation,
  wanted: WantedPreview,
  deps: HlsDeps,
): Promise<Deliverable> {
  const { projectId, fileId, plan } = presentation
  const { format, fps = PREVIEW_LIMITS.framesPerSecond.usual } = wanted
  const { start, end } = stretchOf(wanted, plan.end)
  const choice = wideEnough(wanted.choices, wanted.w ?? PREVIEW_LIMITS.width.usual)
  const width = Math.min(wanted.w ?? PREVIEW_LIMITS.width.usual, choice.video.width)
  const name = `${fileId}-${start}-${end}-${width}-${fps}-moving.${format}`
  const cached = await deps.sizes.get(name, async (output) => {
    const [first, last] = [segmentAt(plan, start), segmentAt(plan, end - 1)]
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    // Whoever comes meanwhile waits for the same: it goes on though the first has gone.
    const media = await segmentMedia(presentation, numbers, deps, new AbortController().signal, choice)
    const height = (width * choice.video.height) / choice.video.width
    const bytes = await deps.previews(projectId, () =>
      movingPreview(deps.transcoder.tools, media, {
        format,
        start,
        end,
        width,
        height,
        framesPerSecond: fps,
      }),
    )
    await writeFile(output, bytes)
  })
  const { size } = await stat(cached)
  return {
    contentType: `image/${format}`,
    size,
    // Another encoder may make it another time.
    etag: `"${name}-${size}"`,
    lastModified: wanted.lastModified,
    caching: CACHING.segment,
    async open(range) {
      const whole = await deps.hot.get(`${name}-${size}`, size, () => readFile(cached))
      return whole ? part(whole, range) : createReadStream(cached, range)
    },
  }
}

/** In ticks, to the millisecond: whoever asks for the same in other words gets what is there. */
function stretchOf({ start = 0, end }: PreviewQuery, length: number): { start: number; end: number } {
  const { seconds } = PREVIEW_LIMITS
  const ticks = (time: number) => Math.round(time * 1000) * (CLOCK / 1000)
  if (ticks(start) >= length) throw badRequest(`query.start: the video ends at ${length / CLOCK}`)
  if (end !== undefined && ticks(end) <= ticks(start)) throw badRequest('query.end: must be after start')
  if (end !== undefined && end - start > seconds.most + 0.001)
    throw badRequest(`query.end: at most ${seconds.most} seconds after start`)
  return { start: ticks(start), end: Math.min(ticks(end ?? start + seconds.usual), length) }
}

/** The smallest rendition that is as wide; else the largest. */
function wideEnough(choices: VideoChoice[], width: number): VideoChoice {
  return choices.find(({ video }) => video.width >= width) ?? choices.at(-1)!
}
