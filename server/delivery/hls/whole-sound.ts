import { createHash } from 'node:crypto'
import { CACHING } from '../../base/caching.ts'
import { notFound } from '../../base/errors.ts'
import { audioChoices, type Presentation } from '../../transcoding/index.ts'
import type { ServableFile } from '../../uploads/index.ts'
import type { Deliverable } from '../deliverable.ts'
import { nameAs } from '../file-name.ts'
import { allSegmentsSoon } from './all-segments.ts'
import type { HlsDeps } from './deliver-hls.ts'
import { readParts } from './read-parts.ts'

/**
 * A film's sound as one file: its segments behind each other, as they are kept, so that nothing is stored twice. What
 * is missing of them is made first, in one pass that is quick, since the length of the whole is told before its bytes.
 */
export async function deliverWholeSound(
  presentation: Presentation,
  file: ServableFile,
  deps: HlsDeps,
  signal: AbortSignal,
): Promise<Deliverable> {
  const choice = audioChoices(presentation).find(({ isDefault }) => isDefault)
  if (!choice) throw notFound()
  const [sound] = await allSegmentsSoon(presentation, [choice.name], deps, signal)
  const parts = [sound!.init, ...sound!.segments]
  const sizes = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
  return {
    contentType: 'audio/mp4',
    size: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    etag: `"${sizes}"`,
    lastModified: new Date(file.updated_at),
    caching: CACHING.segment,
    fileName: nameAs(file.name.toString(), 'm4a'),
    open: async (range) =>
      readParts(
        parts.map(({ key, bytes }) => ({ key, start: 0, bytes })),
        range,
        deps.objects,
      ),
  }
}
