import { isDiskFull } from '../../base/disk-full.ts'
import { MediaProgramFailed } from '../../media/video/errors.ts'
import { audioEdges } from '../../media/video/make-audio.ts'
import { ratesOf } from '../../media/video/rates.ts'
import type { Handler, JobQueue } from '../../platform/jobs/port.ts'
import { StorageUnavailable } from '../../platform/objects/errors.ts'
import { isOutage, type Sql, type Transaction } from '../../platform/postgres/client.ts'
import { findServable } from '../../uploads/files.ts'
import { failVideo } from '../../videos/fail-video.ts'
import { NotWantedAnyMore } from './keep-segment.ts'
import type { SegmentMaker } from './make-segments.ts'
import type { Presentations } from './presentation.ts'
import { audioChoices, edgesOf, type Presentation, videoChoices } from './renditions.ts'
import { madeSegments, setRates } from './store.ts'

export const FILL = 'fill-video'

interface Payload {
  projectId: string
  fileId: string
}

/** Has everything made that nobody has asked for yet. */
export function enqueueFill(jobs: JobQueue, tx: Transaction, payload: Payload): Promise<void> {
  return jobs.enqueue(tx, FILL, payload.fileId, payload)
}

export interface FillDeps {
  sql: Sql
  maker: SegmentMaker
  presentations: Presentations
}

export function fillVideo({ sql, maker, presentations }: FillDeps): Handler<Payload> {
  return {
    attempts: 3,
    concurrency: 1,
    async run({ payload: { projectId, fileId }, progressed }) {
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
        if (!(await findServable(sql, projectId, fileId))) return
        const presentation = await presentations.find(projectId, fileId)
        if (!presentation) return
        const renditions = [...videoChoices(presentation), ...audioChoices(presentation)]
        try {
          await maker.fill(presentation, renditions, progressed)
        } catch (error) {
          if (error instanceof NotWantedAnyMore) continue
          // No fault of the file, and nothing to give it up for: such tries do not count.
          if (isAway(error)) await progressed().catch(() => {})
          throw error
        }
        await measure(presentation, sql)
        // A track may have been added meanwhile, whose job was this one.
        if (await isSettled(presentation)) return
      }
      throw new Error('it changes faster than it can be made')
    },
    giveUp: async ({ fileId }, error) => {
      const reason = error instanceof MediaProgramFailed ? 'a part of it cannot be decoded' : REASON
      await failVideo(sql, fileId, reason)
    },
  }

  async function isSettled({ projectId, fileId, tracks }: Presentation): Promise<boolean> {
    const now = await presentations.find(projectId, fileId)
    return !now || now.tracks.map(({ id }) => id).join() === tracks.map(({ id }) => id).join()
  }
}

/** Whether the database or the storage cannot be reached, or take any more, for now. */
function isAway(error: unknown): boolean {
  return isOutage(error) || error instanceof StorageUnavailable || isDiskFull(error)
}

const MAX_ROUNDS = 20
const REASON = 'processing it failed again and again'

/** From now on playlists tell what renditions really take. */
async function measure(presentation: Presentation, sql: Sql): Promise<void> {
  const { fileId, plan } = presentation
  const rates = await Promise.all(
    [...videoChoices(presentation), ...audioChoices(presentation)].map(async ({ name, kind }) => {
      const made = await madeSegments(sql, fileId, name)
      const bytes = plan.segments.map((_, number) => made.get(number) ?? 0)
      const edges = kind === 'audio' ? audioEdges(edgesOf(plan)) : edgesOf(plan)
      return [name, ratesOf(edges, bytes)] as const
    }),
  )
  await setRates(sql, fileId, Object.fromEntries(rates))
}
