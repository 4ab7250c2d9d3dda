import type { Plan } from '../../media/video/plan.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import { enqueueFill } from './fill-video.ts'
import { insertPlan } from './store.ts'

/** A file can be played from when the transaction commits, though none of its segments is made yet. */
export async function beginPlayback(
  tx: Transaction,
  { projectId, fileId, plan }: { projectId: string; fileId: string; plan: Plan },
  jobs: JobQueue,
): Promise<void> {
  await insertPlan(tx, fileId, plan)
  await enqueueFill(jobs, tx, { projectId, fileId })
}
