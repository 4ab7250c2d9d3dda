import type { MediaTools } from '../media/video/program.ts'
import { handle } from '../platform/jobs/port.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { FILL, type FillDeps, fillVideo } from './fill-video.ts'
import type { TracksOf } from './presentation.ts'
import { openTranscoder } from './transcoder.ts'

interface TranscodingSliceDeps extends Pick<FillDeps, 'onFailed' | 'onRetry' | 'onFilled'> {
  sql: Sql
  objects: ObjectStore
  tools: MediaTools
  tracksOf: TracksOf
  /** Where source files are kept while they are read. */
  folder: string
}

export async function openTranscoding({
  onFailed,
  onRetry,
  onFilled,
  folder,
  ...deps
}: TranscodingSliceDeps) {
  const transcoder = await openTranscoder(deps, folder)
  const { maker, presentations } = transcoder
  return {
    transcoder,
    jobs: [handle(FILL, fillVideo({ sql: deps.sql, maker, presentations, onFailed, onRetry, onFilled }))],
    metrics: [
      {
        as: 'counter' as const,
        name: 'marquee_segments_made_total',
        help: 'Segments of videos that were encoded or copied',
        count: maker.made,
      },
    ],
    close: transcoder.close,
  }
}
