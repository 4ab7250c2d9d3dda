import { isDiskFull } from '../../base/disk-full.ts'
import { MediaProgramFailed } from '../../media/video/errors.ts'
import { defineQueue, type Handler, type JobQueue } from '../../platform/jobs/port.ts'
import { StorageUnavailable } from '../../platform/objects/errors.ts'
import { isOutage, type Sql, type Transaction } from '../../platform/postgres/client.ts'
import { findServable } from '../../uploads/files.ts'
import { failVideo, restoreVideo } from '../../videos/fail-video.ts'
import { NotWantedAnyMore } from './keep-segment.ts'
import type { SegmentMaker } from './make-segments.ts'
import type { Presentations } from './presentation.ts'
import { audioChoices, videoChoices } from './renditions.ts'
import { settleRendition } from './settle-rendition.ts'

interface Payload {
  projectId: string
  fileId: string
}

export const FILL = defineQueue<Payload>('fill-video')

/** Has everything made that nobody has asked for yet. */
export function enqueueFill(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: Transaction,
  payload: Payload,
): Promise<void> {
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
    async run({ payload: { projectId, fileId }, signal, progressed }) {
      // It is tried once more, by the operator's wish: until it has failed again, it has not.
      await restoreVideo(sql, fileId)
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
        if (!(await findServable(sql, projectId, fileId))) return
        const presentation = await presentations.find(projectId, fileId)
        if (!presentation) return
        const renditions = [...videoChoices(presentation), ...audioChoices(presentation)]
        try {
          await maker.fill(presentation, renditions, { progressed, signal })
        } catch (error) {
          // A track went meanwhile, or all of it.
          if (error instanceof NotWantedAnyMore) continue
          // No fault of the file, and nothing to give it up for: such tries do not count.
          if (isAway(error)) await progressed().catch(() => {})
          throw error
        }
        for (const rendition of renditions) await settleRendition(presentation, rendition, sql)
        return
      }
      throw new Error('it changes faster than it can be made')
    },
    giveUp: async ({ fileId }, error) => {
      const reason = error instanceof MediaProgramFailed ? 'a part of it cannot be decoded' : REASON
      await failVideo(sql, fileId, reason)
    },
  }
}

/** Whether the database or the storage cannot be reached, or take any more, for now. */
function isAway(error: unknown): boolean {
  return isOutage(error) || error instanceof StorageUnavailable || isDiskFull(error)
}

const MAX_ROUNDS = 20
const REASON = 'processing it failed again and again'
