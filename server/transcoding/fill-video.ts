import { isDiskFull } from '../base/disk-full.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import { MediaProgramFailed } from '../media/video/errors.ts'
import type { PlaybackPlan } from '../media/video/plan.ts'
import { defineQueue, type Handler, type JobQueue } from '../platform/jobs/port.ts'
import { StorageUnavailable } from '../platform/objects/errors.ts'
import { isOutage, type Sql, type Transaction } from '../platform/postgres/client.ts'
import { findServable, isGone } from '../uploads/index.ts'
import { NotWantedAnyMore, settleRendition } from './encode-run.ts'
import { audioChoices, type Presentations, videoChoices } from './presentation.ts'
import type { SegmentMaker } from './segment-maker.ts'
import { insertPlan } from './store.ts'

interface FillPayload {
  projectId: ProjectId
  fileId: FileId
}

export const FILL = defineQueue<FillPayload>('fill-video')

/** Has everything made that nobody has asked for yet. */
export function enqueueFill(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: Transaction,
  payload: FillPayload,
): Promise<void> {
  return jobs.enqueue(tx, FILL, payload.fileId, payload)
}

/** A file can be played from when the transaction commits, though none of its segments is made yet. */
export async function beginPlayback(
  tx: Transaction,
  { projectId, fileId, plan }: { projectId: ProjectId; fileId: FileId; plan: PlaybackPlan },
  jobs: JobQueue,
): Promise<void> {
  await insertPlan(tx, fileId, plan)
  await enqueueFill(jobs, tx, { projectId, fileId })
}

export interface FillDeps {
  sql: Sql
  maker: SegmentMaker
  presentations: Presentations
  /** Told that the rest of a file cannot be made, and why. */
  onFailed(fileId: FileId, reason: string): Promise<void>
  /** Told that it is tried once more: until it has failed again, it has not. */
  onRetry(fileId: FileId): Promise<void>
  /** Told that everything of a file has been made. */
  onFilled(fileId: FileId): Promise<void>
}

export function fillVideo(deps: FillDeps): Handler<FillPayload> {
  const { sql, maker, presentations, onFailed, onRetry, onFilled } = deps
  return {
    attempts: 3,
    concurrency: 1,
    async run({ payload: { projectId, fileId }, signal, progressed }) {
      await onRetry(fileId)
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
        if (!(await findServable(sql, projectId, fileId))) return
        const presentation = await presentations.find(projectId, fileId)
        if (!presentation) return
        const renditions = [...videoChoices(presentation), ...audioChoices(presentation)]
        try {
          await maker.fill(presentation, renditions, { progressed, signal })
        } catch (error) {
          // A track went meanwhile, or all of it, and what made it was broken off.
          if (error instanceof NotWantedAnyMore || (await isGone(sql, projectId, fileId))) continue
          // No fault of the file, and nothing to give it up for: such tries do not count.
          if (isAway(error)) await progressed().catch(() => {})
          throw error
        }
        for (const rendition of renditions) await settleRendition(presentation, rendition, sql)
        await onFilled(fileId)
        return
      }
      throw new Error('it changes faster than it can be made')
    },
    async help({ projectId, fileId }, signal) {
      const presentation = await presentations.find(projectId, fileId)
      if (presentation) await maker.help(presentation, videoChoices(presentation), { signal })
    },
    giveUp: async ({ fileId }, error) => {
      const reason = error instanceof MediaProgramFailed ? 'a part of it cannot be decoded' : REASON
      await onFailed(fileId, reason)
    },
  }
}

/** Whether the database or the storage cannot be reached, or take any more, for now. */
function isAway(error: unknown): boolean {
  return isOutage(error) || error instanceof StorageUnavailable || isDiskFull(error)
}

const MAX_ROUNDS = 20
const REASON = 'processing it failed again and again'
