import type { MediaTools } from '../../media/video/program.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { sharedWork } from '../../uploads/complete-upload.ts'
import { addStoredBytes } from '../../uploads/files.ts'
import { originalKey } from '../../uploads/keys.ts'
import { type SegmentMaker, segmentMaker } from './make-segments.ts'
import { type Presentations, presentations } from './presentation.ts'
import { audioChoices, videoChoices } from './renditions.ts'
import { type SourceFiles, sourceFiles } from './sources.ts'
import { deleteRendition } from './store.ts'

/** Everything that plays videos, as one process has it. */
export interface Player {
  maker: SegmentMaker
  presentations: Presentations
  sources: SourceFiles
  tools: MediaTools
  /** One piece of work for each key at a time; whoever comes meanwhile shares it. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Begins to make what a viewer asks for first. */
  warm(file: { projectId: string; fileId: string }): void
  /** Ends all work on a file that is gone. */
  forget(fileId: string, projectId: string): void
  /** Forgets what was made of a track that is gone, and gives its bytes back. */
  dropRendition(tx: Transaction, fileId: string, rendition: string): Promise<void>
  close(): Promise<void>
}

export async function openPlayer(
  deps: { sql: Sql; objects: ObjectStore; tools: MediaTools },
  folder: string,
): Promise<Player> {
  const sources = sourceFiles(deps.objects, folder)
  const maker = await segmentMaker({ ...deps, sources })
  const known = presentations(deps.sql)

  async function makeFirst(projectId: string, fileId: string): Promise<void> {
    const presentation = await known.find(projectId, fileId)
    if (!presentation) return
    const [sound] = audioChoices(presentation)
    const pictures = videoChoices(presentation)
    const first = [...(sound ? [sound] : []), ...pictures.filter(({ video }) => video.copied), pictures[0]!]
    await Promise.all(first.map((choice) => maker.want(presentation, choice, 0)))
  }

  return {
    maker,
    presentations: known,
    sources,
    tools: deps.tools,
    once: sharedWork(),
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
