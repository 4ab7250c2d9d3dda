import { type SingleFlight, singleFlight } from '../base/async/single-flight.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import type { MediaTools } from '../media/video/program.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { addStoredBytes, originalKey } from '../uploads/index.ts'
import { localProducer } from './local-producer.ts'
import {
  audioChoices,
  type Presentations,
  presentations,
  type TracksOf,
  videoChoices,
} from './presentation.ts'
import { type SegmentMaker, segmentMaker } from './segment-maker.ts'
import { type SourceFiles, sourceFiles } from './sources.ts'
import { deleteRendition } from './store.ts'

/** Everything that plays videos, as one process has it. */
export interface Transcoder {
  maker: SegmentMaker
  presentations: Presentations
  sources: SourceFiles
  tools: MediaTools
  /** One piece of work for each key at a time; whoever comes meanwhile shares it. */
  singleFlight: SingleFlight
  /** Begins to make what a viewer asks for first. */
  warm(file: { projectId: ProjectId; fileId: FileId }): void
  /** Ends all work on a file that is gone. */
  forget(fileId: FileId, projectId: ProjectId): void
  /** Forgets what was made of a track that is gone, and gives its bytes back. */
  dropRendition(tx: Transaction, fileId: FileId, rendition: string): Promise<void>
  close(): Promise<void>
}

export async function openTranscoder(
  deps: { sql: Sql; objects: ObjectStore; tools: MediaTools; tracksOf: TracksOf },
  folder: string,
): Promise<Transcoder> {
  const sources = sourceFiles(deps.objects, folder)
  const producer = localProducer({ tools: deps.tools, sources })
  const maker = await segmentMaker({ sql: deps.sql, objects: deps.objects, producer })
  const known = presentations(deps.sql, deps.tracksOf)

  async function makeFirst(projectId: ProjectId, fileId: FileId): Promise<void> {
    const presentation = await known.find(projectId, fileId)
    if (!presentation) return
    const [sound] = audioChoices(presentation)
    const pictures = videoChoices(presentation)
    const first = [...(sound ? [sound] : []), ...pictures.filter(({ video }) => video.copied), pictures[0]!]
    await Promise.all(first.map((choice) => maker.request(presentation, choice, 0)))
  }

  return {
    maker,
    presentations: known,
    sources,
    tools: deps.tools,
    singleFlight: singleFlight(),
    warm({ projectId, fileId }) {
      // Whoever asks for it hears of what went wrong.
      makeFirst(projectId, fileId).catch(() => {})
    },
    forget(fileId, projectId) {
      maker.forget(fileId)
      known.forget(fileId)
      sources.forget(originalKey(projectId, fileId))
    },
    async dropRendition(tx, fileId, rendition) {
      maker.forget(fileId, rendition)
      await addStoredBytes(tx, fileId, -(await deleteRendition(tx, fileId, rendition)))
    },
    async close() {
      await maker.close()
      sources.close()
    },
  }
}
