import type { ProjectId } from '../../base/ids.ts'
import type { Queryable, Transaction } from '../../platform/postgres/client.ts'

export interface DeletionRow {
  requested_at: string
  done_at: string | null
  failed_at: string | null
}

export interface DeletedViewer {
  projectId: ProjectId
  /** Of the viewer. */
  hash: Buffer
}

export async function requestDeletion(
  tx: Transaction,
  { projectId, hash }: DeletedViewer,
): Promise<DeletionRow> {
  const [row] = await tx<DeletionRow[]>`
    insert into viewer_deletions (project_id, viewer_hash) values (${projectId}, ${hash})
    on conflict (project_id, viewer_hash) do update set requested_at = now(), done_at = null, failed_at = null
    returning requested_at, done_at, failed_at`
  return row!
}

export async function findDeletion(
  sql: Queryable,
  { projectId, hash }: DeletedViewer,
): Promise<DeletionRow | undefined> {
  const [row] = await sql<DeletionRow[]>`
    select requested_at, done_at, failed_at from viewer_deletions
    where project_id = ${projectId} and viewer_hash = ${hash}`
  return row
}

/** Not of one that was asked for again meanwhile: events came in between. */
export async function endDeletion(
  sql: Queryable,
  { projectId, hash }: DeletedViewer,
  { begunAt, isDone }: { begunAt: string; isDone: boolean },
): Promise<void> {
  await sql`
    update viewer_deletions set done_at = case when ${isDone} then now() end, failed_at = case when ${!isDone} then now() end
    where project_id = ${projectId} and viewer_hash = ${hash} and requested_at <= ${begunAt}::timestamptz`
}
