import { Refusal } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import {
  asGone,
  findChoice,
  INIT,
  madeSegments,
  type Presentation,
  type Transcoder,
} from '../../transcoding/index.ts'
import { initKey, segmentKey } from '../../uploads/index.ts'

export interface SegmentPart {
  key: string
  bytes: number
}

/** A rendition of which every segment is there. */
export interface WholeRendition {
  init: SegmentPart
  segments: SegmentPart[]
}

interface MakingDeps {
  sql: Sql
  transcoder: Transcoder
}

/** All segments of a rendition; what is missing of them is made first, in their order. */
async function allSegments(
  presentation: Presentation,
  name: string,
  { sql, transcoder }: MakingDeps,
  signal: AbortSignal,
): Promise<WholeRendition> {
  const { projectId, fileId, plan } = presentation
  const choice = findChoice(presentation, name)!
  for (;;) {
    const made = await madeSegments(sql, fileId, name)
    const missing = plan.segments.flatMap((_, number) => (made.has(number) ? [] : [number]))
    if (missing.length === 0)
      return {
        init: { key: initKey(projectId, fileId, name), bytes: made.get(INIT)! },
        segments: plan.segments.map((_, number) => ({
          key: segmentKey(projectId, fileId, name, number),
          bytes: made.get(number)!,
        })),
      }
    for (const number of missing)
      await transcoder.maker.request(presentation, choice, number, signal).catch(asGone)
  }
}

/**
 * All segments of several renditions. Whoever asks for a whole film that takes long to make is told to come back, and how
 * far it is: a length is told before the first byte, and a connection that is silent for minutes is cut by somebody.
 */
export async function allSegmentsSoon(
  presentation: Presentation,
  names: string[],
  deps: MakingDeps & { patienceMs: number },
  gone: AbortSignal,
): Promise<WholeRendition[]> {
  const patience = new AbortController()
  const signal = AbortSignal.any([gone, patience.signal])
  const making = Promise.all(names.map((name) => allSegments(presentation, name, deps, signal)))
  // Where patience ends first, nobody hears how it went.
  making.catch(() => {})
  const { promise: late, resolve: stop } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => stop(undefined), deps.patienceMs)
  try {
    const whole = await Promise.race([making, late])
    if (whole) return whole
    throw await stillMaking(presentation, names, deps.sql)
  } finally {
    clearTimeout(timer)
    patience.abort()
  }
}

async function stillMaking({ fileId, plan }: Presentation, names: string[], sql: Sql): Promise<Refusal> {
  const made = await Promise.all(names.map((name) => madeSegments(sql, fileId, name)))
  const there = made.map((numbers) => plan.segments.filter((_, number) => numbers.has(number)).length)
  // The last of them may have come just now.
  const percent = Math.min(99, Math.floor((100 * Math.min(...there)) / plan.segments.length))
  return new Refusal(503, {
    details: `it is being made, and ${percent} percent of it is there; ask again`,
    headers: { 'retry-after': String(percent > 80 ? 5 : 30) },
  })
}
