import { createHash } from 'node:crypto'
import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { EventLog } from '../../platform/events/port.ts'
import { defineQueue, type Handler, type JobQueue } from '../../platform/jobs/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { ViewerDeletion } from './schemas.ts'
import { type DeletionRow, endDeletion, findDeletion, requestDeletion } from './store.ts'

interface DeletionOrder extends ProjectScope {
  viewer: string
}

export const DELETE_VIEWER = defineQueue<DeletionOrder>('delete-viewer')

export interface DeleteViewerDeps {
  sql: Sql
  jobs: Pick<JobQueue, 'enqueue'>
}

/** Has everything deleted that a viewer has sent until now. What they send later is counted as anybody's. */
export async function deleteViewer(
  caller: Caller,
  scope: ProjectScope,
  viewer: string,
  { sql, jobs }: DeleteViewerDeps,
): Promise<ViewerDeletion> {
  allow(caller, 'analytics:delete', scope)
  const { orgId, projectId } = scope
  const hash = hashOf(viewer)
  const row = await sql.begin(async (tx) => {
    await jobs.enqueue(tx, DELETE_VIEWER, `${projectId} ${hash.toString('hex')}`, {
      orgId,
      projectId,
      viewer,
    })
    return requestDeletion(tx, { projectId, hash })
  })
  return toDeletion(viewer, row)
}

export async function showDeletion(
  caller: Caller,
  scope: ProjectScope,
  viewer: string,
  { sql }: Pick<DeleteViewerDeps, 'sql'>,
): Promise<ViewerDeletion> {
  allow(caller, 'analytics:read', scope)
  const row = await findDeletion(sql, { projectId: scope.projectId, hash: hashOf(viewer) })
  if (!row) throw notFound('nobody has asked to delete this viewer')
  return toDeletion(viewer, row)
}

export function deletingViewers({
  sql,
  events,
}: {
  sql: Sql
  events: Pick<EventLog, 'endOf' | 'erase'>
}): Handler<DeletionOrder> {
  const end = async ({ projectId, viewer }: DeletionOrder, begunAt: string, isDone: boolean) =>
    endDeletion(sql, { projectId, hash: hashOf(viewer) }, { begunAt, isDone })
  return {
    attempts: 12,
    concurrency: 1,
    async run({ payload }) {
      const { orgId, projectId, viewer } = payload
      // In microseconds: no later request may count as done.
      const [row] = await sql<{ now: string }[]>`select now()::text as now`
      const ofViewer = { organization: orgId, project: projectId, viewer }
      await events.erase({ ...ofViewer, before: await events.endOf(ofViewer) })
      await end(payload, row!.now, true)
    },
    giveUp: (payload) => end(payload, new Date().toISOString(), false),
  }
}

/** A viewer's id may be of any kind, an address of mail too; here it is needed only to find the same again. */
function hashOf(viewer: string): Buffer {
  return createHash('sha256').update(viewer).digest()
}

function toDeletion(viewer: string, { requested_at, done_at, failed_at }: DeletionRow): ViewerDeletion {
  return {
    viewer_id: viewer,
    status: done_at ? 'done' : failed_at ? 'failed' : 'pending',
    requested_at,
    ...(done_at && { done_at }),
  }
}
