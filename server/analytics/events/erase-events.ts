import type { ProjectScope } from '../../access/index.ts'
import type { EventLog } from '../../platform/events/port.ts'
import { defineQueue, type Handler, type JobQueue } from '../../platform/jobs/port.ts'
import type { Transaction } from '../../platform/postgres/client.ts'

export const ERASE_EVENTS = defineQueue<ProjectScope>('erase-events')

/** To be called where a project goes for good, in the same transaction: its events are no rows that go with it. */
export function enqueueErasure(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: Transaction,
  { orgId, projectId }: ProjectScope,
): Promise<void> {
  return jobs.enqueue(tx, ERASE_EVENTS, projectId, { orgId, projectId })
}

/** Deletes the events of a project that is gone. */
export function eraseEvents(events: Pick<EventLog, 'erase'>): Handler<ProjectScope> {
  return {
    attempts: 12,
    concurrency: 1,
    run: ({ payload: { orgId, projectId } }) => events.erase({ organization: orgId, project: projectId }),
    giveUp: async () => {},
  }
}
