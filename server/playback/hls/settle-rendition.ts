import { audioEdges } from '../../media/video/make-audio.ts'
import { ratesOf } from '../../media/video/rates.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { edgesOf, type Presentation, type Rendition } from './renditions.ts'
import { addRates, madeSegments } from './store.ts'

/**
 * Once all segments of a rendition are made, playlists tell what it really takes, and progress counts it as
 * complete. Whoever makes the last of them sees to it at once: the program that made it may take long to end.
 */
export async function settleRendition(
  { fileId, plan }: Presentation,
  { name, kind }: Pick<Rendition, 'name' | 'kind'>,
  sql: Sql,
): Promise<void> {
  const made = await madeSegments(sql, fileId, name)
  if (plan.segments.some((_, number) => !made.has(number))) return
  const edges = kind === 'audio' ? audioEdges(edgesOf(plan)) : edgesOf(plan)
  const bytes = plan.segments.map((_, number) => made.get(number)!)
  await addRates(sql, fileId, { [name]: ratesOf(edges, bytes) })
}
