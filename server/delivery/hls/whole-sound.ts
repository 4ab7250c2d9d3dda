import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CACHING } from '../../base/caching.ts'
import { notFound } from '../../base/errors.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import {
  type AudioChoice,
  audioChoices,
  INIT,
  madeSegments,
  type Presentation,
  type Transcoder,
} from '../../transcoding/index.ts'
import { initKey, segmentKey } from '../../uploads/index.ts'
import type { Deliverable, Range } from '../deliverable.ts'

interface WholeSoundDeps {
  sql: Sql
  objects: ObjectStore
  transcoder: Transcoder
}

interface SoundPart {
  key: string
  bytes: number
}

/**
 * A film's sound as one file: its segments behind each other, as they are kept, so that nothing is stored twice. What
 * is missing of them is made first, in one pass that is quick, since the length of the whole is told before its bytes.
 */
export async function deliverWholeSound(
  presentation: Presentation,
  lastModified: Date,
  deps: WholeSoundDeps,
  signal: AbortSignal,
): Promise<Deliverable> {
  const choice = audioChoices(presentation).find(({ isDefault }) => isDefault)
  if (!choice) throw notFound()
  const parts = await makeAll(presentation, choice, deps, signal)
  const sizes = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
  return {
    contentType: 'audio/mp4',
    size: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    etag: `"${sizes}"`,
    lastModified,
    caching: CACHING.segment,
    open: async (range) => Readable.from(read(parts, range, deps.objects), { objectMode: false }),
  }
}

async function makeAll(
  presentation: Presentation,
  choice: AudioChoice,
  { sql, transcoder }: WholeSoundDeps,
  signal: AbortSignal,
): Promise<SoundPart[]> {
  const { projectId, fileId, plan } = presentation
  for (;;) {
    const made = await madeSegments(sql, fileId, choice.name)
    const missing = plan.segments.findIndex((_, number) => !made.has(number))
    if (missing < 0)
      return [
        { key: initKey(projectId, fileId, choice.name), bytes: made.get(INIT)! },
        ...plan.segments.map((_, number) => ({
          key: segmentKey(projectId, fileId, choice.name, number),
          bytes: made.get(number)!,
        })),
      ]
    await transcoder.maker.request(presentation, choice, missing, signal)
  }
}

/** Those bytes of the parts that are asked for, one piece after the other. */
async function* read(
  parts: SoundPart[],
  range: Range | undefined,
  objects: ObjectStore,
): AsyncGenerator<Buffer> {
  let passed = 0
  for (const { key, bytes } of parts) {
    const start = Math.max(0, (range?.start ?? 0) - passed)
    const end = Math.min(bytes, (range ? range.end + 1 : Infinity) - passed)
    passed += bytes
    if (start >= end) continue
    const opened = await objects.get(key, { start, end: end - 1 })
    // Deleted while it was read: the connection ends before what was promised, which tells the client.
    if (!opened) throw notFound()
    yield* opened.stream
  }
}
