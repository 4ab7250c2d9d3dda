import { CACHING } from '../base/caching.ts'
import { notFound } from '../base/errors.ts'
import type { PlaybackPlan } from '../media/video/plan.ts'
import { fitted, spriteSheet } from '../media/video/stills.ts'
import { CLOCK } from '../media/video/timeline.ts'
import { type Presentation, segmentMedia } from '../transcoding/index.ts'
import { addStoredBytes, sheetKey } from '../uploads/index.ts'
import { type Deliverable, objectDeliverable } from './deliverable.ts'
import type { HlsDeps } from './hls/deliver-hls.ts'

const COLUMNS = 5
const ROWS = 5
const TILES = COLUMNS * ROWS
/** More tiles than this are more than a pointer can tell apart. */
const MAX_TILES = 100
const TILE_SIDE = 90

/** A tile every second, or every few of a longer video. */
function layout(plan: PlaybackPlan) {
  const seconds = plan.end / CLOCK
  const interval = Math.max(1, Math.ceil(seconds / MAX_TILES)) * CLOCK
  const tiles = Math.max(1, Math.ceil(plan.end / interval - 0.001))
  const { width, height } = fitted(plan.video[0]!, TILE_SIDE)
  return { interval, tiles, width, height, sheets: Math.ceil(tiles / TILES) }
}

/** WebVTT whose cues are parts of sprite sheets: what players show above their seek bar. */
export function storyboardTrack(plan: PlaybackPlan, base: string, query: string): string {
  const { interval, tiles, width, height } = layout(plan)
  const cues = Array.from({ length: tiles }, (_, i) => {
    const start = i * interval
    const end = Math.min(start + interval, plan.end)
    const place = i % TILES
    const at = `${(place % COLUMNS) * width},${Math.floor(place / COLUMNS) * height},${width},${height}`
    const sheet = `${base}storyboard/${Math.floor(i / TILES)}.jpg${query}#xywh=${at}`
    return `${clock(start)} --> ${clock(end)}\n${sheet}\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}

function clock(ticks: number): string {
  const milliseconds = Math.round((ticks * 1000) / CLOCK)
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(milliseconds / 1000)
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  return `${time}.${String(milliseconds % 1000).padStart(3, '0')}`
}

/** A sprite sheet, made of the lowest rendition when it is first asked for. */
export async function deliverSheet(
  presentation: Presentation,
  sheet: number,
  deps: HlsDeps,
  signal: AbortSignal,
): Promise<Deliverable> {
  const { projectId, fileId, plan } = presentation
  const { sheets } = layout(plan)
  if (sheet >= sheets) throw notFound()
  const key = sheetKey(projectId, fileId, sheet)
  let info = await deps.objects.head(key)
  if (!info) {
    await deps.transcoder.singleFlight(key, () => makeSheet(presentation, sheet, key, deps, signal))
    info = await deps.objects.head(key)
  }
  if (!info) throw notFound()
  return objectDeliverable({ key, contentType: 'image/jpeg', caching: CACHING.segment, ...info }, deps)
}

async function makeSheet(
  presentation: Presentation,
  sheet: number,
  key: string,
  deps: HlsDeps,
  signal: AbortSignal,
): Promise<void> {
  const { plan, fileId } = presentation
  const { interval, tiles, width, height } = layout(plan)
  const first = sheet * TILES
  const times = Array.from({ length: Math.min(TILES, tiles - first) }, (_, i) => (first + i) * interval)
  const numbers = new Set(times.map((time) => segmentAt(plan, time)))
  const media = await segmentMedia(presentation, [...numbers], deps, signal)
  const bytes = await spriteSheet(deps.transcoder.tools, media, {
    columns: COLUMNS,
    rows: ROWS,
    tileWidth: width,
    tileHeight: height,
    interval,
  })
  await deps.objects.put(key, bytes, { contentType: 'image/jpeg' })
  const counted = await deps.sql.begin((tx) => addStoredBytes(tx, fileId, bytes.length))
  if (!counted) await deps.objects.delete(key)
}

/** The segment that is on at a time. */
export function segmentAt({ segments }: PlaybackPlan, time: number): number {
  const after = segments.findIndex(({ start }) => start > time)
  return after < 0 ? segments.length - 1 : after - 1
}
